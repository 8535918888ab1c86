// No file over 500 lines, no folder of src or web with over 40 files in it; prints the median and how many are over 300.
// Usage: node scripts/check-sizes.mjs [root]
import { readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { filesIn, root } from "./prepare.mjs"

const limit = 500
const mostFiles = 40
const project = resolve(process.argv[2] ?? root)
const sizes = ["src", "web", "test", "scripts", "bench", "conformance", "examples"]
  .flatMap((folder) => filesIn(folder, project))
  .filter((path) => /\.([cm]?[jt]sx?|svelte)$/.test(path) && !path.includes("node_modules/"))
  .map((path) => ({ path, lines: readFileSync(join(project, path), "utf8").split("\n").length - 1 }))
  .sort((a, b) => a.lines - b.lines)

const tooLong = sizes.filter(({ lines }) => lines > limit)
for (const { path, lines } of tooLong) console.log(`${path}: ${lines} lines, over the limit of ${limit} (sizes)`)
const folders = sizes.map(({ path }) => dirname(path)).filter((path) => /^(src|web)\b/.test(path))
const crowded = [...new Set(folders)].filter((name) => folders.filter((each) => each === name).length > mostFiles)
for (const name of crowded) console.log(`${name}: over ${mostFiles} files in one folder (sizes)`)
const median = sizes[Math.floor(sizes.length / 2)]?.lines ?? 0
console.log(
  `${sizes.length} files, median ${median} lines, ${sizes.filter(({ lines }) => lines > 300).length} over 300`,
)
process.exitCode = tooLong.length + crowded.length > 0 ? 1 : 0

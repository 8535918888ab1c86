// Checks the rules of layers.json, and ARCHITECTURE.md against the code: its picture of layers and rooms is drawn from the imports,
// and the files it names exist. Usage: node scripts/rooms.mjs compares; with --write it puts the current picture into the page, and prints figures.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { figures } from "./layers/figures.mjs"
import { drawRooms } from "./layers/picture.mjs"
import { checkProject } from "./layers/violations.mjs"
import { root } from "./prepare.mjs"

const page = `${root}/ARCHITECTURE.md`
const picture = /(?<=<!-- rooms: npm run rooms -->\n\n```text\n)[^`]*(?=```)/
const table = JSON.parse(readFileSync(`${root}/layers.json`, "utf8"))
const before = readFileSync(page, "utf8")
const { imports, files, violations } = checkProject(root)
const now = before.replace(picture, () => drawRooms(imports, table))
if (process.argv.includes("--write")) {
  writeFileSync(page, now)
  for (const line of figures(imports, root)) console.log(line)
}

const problems = process.argv.includes("--write") ? [] : [...violations]
if (!picture.test(now)) problems.push("ARCHITECTURE.md has no place for the picture of the rooms.")
else if (now !== before && !process.argv.includes("--write"))
  problems.push("The picture in ARCHITECTURE.md does not match the imports. Run: npm run rooms")
for (const [, path] of now.matchAll(/`([a-z-]+\/[\w/.-]+\.[a-z]+)`/g))
  if (!existsSync(`${root}/${path}`) && !existsSync(`${root}/src/${path}`))
    problems.push(`ARCHITECTURE.md names ${path}, which does not exist.`)
for (const problem of problems) console.log(problem)
if (!process.argv.includes("--write")) console.log(`${files} files, ${violations.length} violations`)
process.exitCode = problems.length > 0 ? 1 : 0

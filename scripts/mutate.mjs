// npm run mutate [-- COUNT] [--seed N] [--folder NAME]… [--write-docs]: how many random changes to the code do tests notice?
import { randomInt } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { changed, changesIn, lineOf } from "./mutate/changes.mjs"
import { copyTree } from "./mutate/copy-tree.mjs"
import { failingTest, isRefused, otherTests } from "./mutate/notice.mjs"
import { isKnownUnseen, nameOf, table, writeDocs } from "./mutate/report.mjs"
import { filesIn, prepare } from "./prepare.mjs"

/** The folders of src that are changed, each with the tests that notice most. They run first; then all others that load the file. */
const FOLDERS = {
  "agent/permission": ["test/agent/permission", "test/host/consent-corpus.test.ts"],
  history: ["test/history"],
  session: ["test/session"],
  store: ["test/store"],
  workspace: ["test/workspace"],
  runner: ["test/runner", "test/host"],
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    folder: { type: "string", multiple: true, default: Object.keys(FOLDERS) },
    "write-docs": { type: "boolean", default: false },
  },
})
const count = Number(positionals[0] ?? 200)
const seed = Number(values.seed ?? randomInt(2 ** 31))
const unknown = values.folder.find((name) => !(name in FOLDERS))
if (!(count > 0) || Number.isNaN(seed) || unknown !== undefined) {
  console.error(`Usage: npm run mutate -- [COUNT] [--seed N] [--folder NAME]… [--write-docs]`)
  console.error(`Folders: ${Object.keys(FOLDERS).join(", ")}`)
  process.exit(2)
}

await prepare("install", "build")
const random = randomFrom(seed)
const copy = copyTree()
for (const folder of values.folder) {
  const failing = await failingTest(copy, FOLDERS[folder])
  if (failing === undefined) continue
  console.error(`A test of ${folder} fails without any change: ${failing}`)
  process.exit(1)
}
const results = []
for (let i = 0; i < count; i++) {
  const folder = values.folder[i % values.folder.length]
  const result = { folder, ...(await tryOne(folder)) }
  results.push(result)
  const by = result.by === undefined ? "" : `  by ${result.by}`
  console.log(`${i + 1}/${count} ${result.outcome}  ${result.file}:${result.line.number}${by}`)
  if (result.outcome === "unnoticed") console.log(`    ${result.line.before}\n    ${result.line.after}`)
}
console.log(`\n${table(results)}\n\nNot noticed (seed ${seed}):`)
for (const result of results) if (result.outcome === "unnoticed") console.log(`- ${nameOf(result)}`)
if (values["write-docs"]) writeDocs(results, seed)

/** Changes that types or lint refuse cannot be committed: another one is taken. */
async function tryOne(folder) {
  for (;;) {
    const { file, change } = anyChange(folder)
    const source = readFileSync(join(copy, file), "utf8")
    const line = lineOf(source, change)
    if (isKnownUnseen({ file, line })) return { file, line, outcome: "unseen" }
    writeFileSync(join(copy, file), changed(source, change))
    try {
      if (await isRefused(copy, file)) continue
      const by =
        (await failingTest(copy, FOLDERS[folder])) ?? (await failingTest(copy, otherTests(file, FOLDERS[folder])))
      return { file, line, by, outcome: by === undefined ? "unnoticed" : "noticed" }
    } finally {
      writeFileSync(join(copy, file), source)
    }
  }
}

function anyChange(folder) {
  const files = filesIn(join("src", folder), copy).filter((name) => name.endsWith(".ts"))
  const all = files.flatMap((file) =>
    changesIn(readFileSync(join(copy, file), "utf8")).map((change) => ({ file, change })),
  )
  return all[Math.floor(random() * all.length)]
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(start) {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

// npm run mutate [-- COUNT] [--seed N] [--folder NAME]… [--write-docs]: how many random changes to the code do tests notice?
import { spawn } from "node:child_process"
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { changed, changesIn, lineOf } from "./mutate/changes.mjs"
import { copyTree } from "./mutate/copy-tree.mjs"
import { isKnownUnseen, nameOf, table, writeDocs } from "./mutate/report.mjs"
import { filesIn, prepare, toolPath } from "./prepare.mjs"

/** The folders of src that are changed, each with the tests that should notice. */
const FOLDERS = {
  "agent/permission": ["test/agent/permission", "test/host/consent-corpus.test.ts"],
  history: ["test/history", "test/session"],
  session: ["test/session"],
  store: ["test/store", "test/session"],
  workspace: ["test/workspace", "test/session/files", "test/session/git-switched.test.ts"],
  runner: ["test/runner", "test/host"],
}
const LONGEST_RUN = 180_000

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
  if (await passes(FOLDERS[folder])) continue
  console.error(`The tests of ${folder} fail without any change: ${FOLDERS[folder].join(" ")}`)
  process.exit(1)
}
const results = []
for (let i = 0; i < count; i++) {
  const folder = values.folder[i % values.folder.length]
  const result = { folder, ...(await tryOne(folder)) }
  results.push(result)
  console.log(`${i + 1}/${count} ${result.outcome}  ${result.file}:${result.line.number}`)
  if (result.outcome === "unnoticed") console.log(`    ${result.line.before}\n    ${result.line.after}`)
}
console.log(`\n${table(results)}\n\nNot noticed (seed ${seed}):`)
for (const result of results) if (result.outcome === "unnoticed") console.log(`- ${nameOf(result)}`)
if (values["write-docs"]) writeDocs(results, seed)

async function tryOne(folder) {
  const files = filesIn(join("src", folder), copy).filter((name) => name.endsWith(".ts"))
  const all = files.flatMap((file) =>
    changesIn(readFileSync(join(copy, file), "utf8")).map((change) => ({ file, change })),
  )
  const { file, change } = all[Math.floor(random() * all.length)]
  const source = readFileSync(join(copy, file), "utf8")
  const line = lineOf(source, change)
  if (isKnownUnseen({ file, line })) return { file, line, outcome: "unseen" }
  writeFileSync(join(copy, file), changed(source, change))
  try {
    return { file, line, outcome: (await passes(FOLDERS[folder])) ? "unnoticed" : "noticed" }
  } finally {
    writeFileSync(join(copy, file), source)
  }
}

/** Tests that do not end have noticed too. Their processes end together: one of them may be in an endless loop. */
async function passes(tests) {
  const args = ["run", "--no-isolate", "--bail=1", "--exclude=**/*.long.test.ts", "--reporter=dot", ...tests]
  const child = spawn(toolPath("vitest"), args, { cwd: copy, stdio: "ignore", detached: true })
  const end = () => process.kill(-child.pid, "SIGKILL")
  const timer = setTimeout(end, LONGEST_RUN)
  process.prependOnceListener("exit", end)
  const [status] = await once(child, "exit")
  process.off("exit", end)
  clearTimeout(timer)
  return status === 0
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

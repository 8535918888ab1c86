// npm run mutate [-- COUNT] [--seed N] [--folder NAME]… [--again] [--write-docs]: how many random changes to the code do tests notice?
// --again tries once more what the last run left unnoticed.
import { randomInt } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { changed, changesIn, lineOf } from "./mutate/changes.mjs"
import { copyTree } from "./mutate/copy-tree.mjs"
import { failingTest, isRefused } from "./mutate/notice.mjs"
import { reachedBy } from "./mutate/reach.mjs"
import { isKnownUnseen, nameOf, table, writeDocs } from "./mutate/report.mjs"
import { cache, filesIn, prepare } from "./prepare.mjs"

/** The folders of src that are changed, each with its tests: of those that run the changed function, they go first. */
const FOLDERS = {
  "agent/permission": /^test\/(agent\/permission|host\/consent-corpus)/,
  history: /^test\/history/,
  session: /^test\/session/,
  store: /^test\/store/,
  workspace: /^test\/workspace/,
  runner: /^test\/(runner|host)/,
  formats: /^test\/formats/,
  foreign: /^test\/foreign/,
  redact: /^test\/redact/,
  host: /^test\/host/,
  provider: /^test\/provider/,
  tui: /^test\/tui/,
}
/** Of the terminal, only what turns data into lines: the rest is seen in a real terminal, by long tests. */
const ROOMS = { tui: /^src\/tui\/(conversation|overlay\/list|overlay\/tree|text|words)\// }
/** A table of facts from elsewhere: a test could only repeat it. */
const DATA = "src/provider/catalogue/model-data.ts"
/** Milliseconds. */
const QUICK = 2000
/** Milliseconds that a run may take to start, and how much longer than before its tests may take. */
const START = 60_000
const SLOWER = 4
const LAST_RUN = join(cache, "mutate.json")

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    folder: { type: "string", multiple: true, default: Object.keys(FOLDERS) },
    again: { type: "boolean", default: false },
    "write-docs": { type: "boolean", default: false },
  },
})
const count = Number(positionals[0] ?? 200)
const wanted = Number(values.seed ?? randomInt(2 ** 31))
const unknown = values.folder.find((name) => !(name in FOLDERS))
if (!(count > 0) || Number.isNaN(wanted) || unknown !== undefined) {
  console.error(`Usage: npm run mutate -- [COUNT] [--seed N] [--folder NAME]… [--again] [--write-docs]`)
  console.error(`Folders: ${Object.keys(FOLDERS).join(", ")}`)
  process.exit(2)
}

await prepare("install", "build")
const copy = copyTree()
console.log("Which tests run what (a few minutes)…")
const testsOf = await reachedBy(copy)
const { seed, results } = values.again ? await tryAgain() : { seed: wanted, results: await tryMany(randomFrom(wanted)) }
console.log(`\n${table(results)}\n\nNot noticed (seed ${seed}):`)
for (const result of results) if (result.outcome === "unnoticed") console.log(`- ${nameOf(result)}`)
if (values["write-docs"]) writeDocs(results, seed)

async function tryMany(random) {
  const results = []
  for (let i = 0; i < count; i++) {
    const folder = values.folder[i % values.folder.length]
    const all = allChanges(folder)
    let result
    // Changes that types or lint refuse cannot be committed: another one is taken.
    while (result === undefined) result = await tryOne(folder, all[Math.floor(random() * all.length)])
    results.push(result)
    tell(`${i + 1}/${count}`, result)
    keep(wanted, results)
  }
  return results
}

/** What is no longer in the code is left out. */
async function tryAgain() {
  const { seed, results } = JSON.parse(readFileSync(LAST_RUN, "utf8"))
  const after = []
  for (const before of results) {
    if (before.outcome !== "unnoticed") after.push(before)
    else {
      const same = allChanges(before.folder).find(({ file, change }) => {
        return file === before.file && nameOf(before) === nameOf({ file, line: lineOf(textOf(file), change) })
      })
      const result = same === undefined ? undefined : await tryOne(before.folder, same)
      if (result === undefined) continue
      after.push(result)
      tell("again", result)
    }
  }
  keep(seed, after)
  return { seed, results: after }
}

function tell(which, { outcome, file, line, by }) {
  console.log(`${which} ${outcome}  ${file}:${line.number}${by === undefined ? "" : `  by ${by}`}`)
  if (outcome === "unnoticed") console.log(`    ${line.before}\n    ${line.after}`)
}

function keep(seed, results) {
  mkdirSync(cache, { recursive: true })
  writeFileSync(LAST_RUN, JSON.stringify({ seed, results }))
}

function allChanges(folder) {
  const isOurs = (name) => name.endsWith(".ts") && name !== DATA && (ROOMS[folder]?.test(name) ?? true)
  const files = filesIn(join("src", folder), copy).filter(isOurs)
  return files.flatMap((file) => changesIn(textOf(file)).map((change) => ({ file, change })))
}

/** Undefined when types or lint refuse it. */
async function tryOne(folder, { file, change }) {
  const source = textOf(file)
  const line = lineOf(source, change)
  if (isKnownUnseen({ file, line })) return { folder, file, line, outcome: "unseen" }
  writeFileSync(join(copy, file), changed(source, change))
  try {
    if (await isRefused(copy, file)) return undefined
    const by = await noticedBy(folder, testsOf(file, source, change.from))
    return { folder, file, line, by, outcome: by === undefined ? "unnoticed" : "noticed" }
  } finally {
    writeFileSync(join(copy, file), source)
  }
}

/** Quick tests of the folder first, which notice most. */
async function noticedBy(folder, tests) {
  const isNear = ({ test }) => FOLDERS[folder].test(test)
  const isQuick = ({ took }) => took < QUICK
  const parts = [
    tests.filter((each) => isNear(each) && isQuick(each)),
    tests.filter((each) => isNear(each) && !isQuick(each)),
    tests.filter((each) => !isNear(each) && isQuick(each)),
    tests.filter((each) => !isNear(each) && !isQuick(each)),
  ]
  for (const part of parts) {
    const longest = START + SLOWER * part.reduce((sum, { took }) => sum + took, 0)
    const names = part.map(({ test }) => test)
    const by = await failingTest(copy, names, longest)
    if (by !== undefined) return by
  }
  const rest = otherProcesses(
    folder,
    tests.map(({ test }) => test),
  )
  return await failingTest(copy, rest)
}

/** The folder's tests that start processes, in which nobody sees what they run. */
function otherProcesses(folder, except) {
  const all = filesIn("test", copy).filter((test) => FOLDERS[folder].test(test) && /(?<!\.long)\.test\.ts$/.test(test))
  return all.filter((test) => !except.includes(test) && /child_process|child\.ts|programs\//.test(textOf(test)))
}

function textOf(file) {
  return readFileSync(join(copy, file), "utf8")
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

// npm run mutate [-- COUNT] [--seed N] [--folder NAME]… [--minutes N] [--again] [--write-docs]: how many random changes
// to the code do tests notice? --again retries what the last run left unnoticed; --minutes starts no further change
// after that.
import { randomInt } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { parseArgs } from "node:util"
import { changed, changesIn, lineOf } from "./mutate/changes.mjs"
import { copyTree } from "./mutate/copy-tree.mjs"
import { FOLDERS, filesOf } from "./mutate/folders.mjs"
import { refusedFiles, testRunner } from "./mutate/notice.mjs"
import { reachedBy } from "./mutate/reach.mjs"
import { isKnownUnseen, nameOf, sinceThen, table, writeDocs } from "./mutate/report.mjs"
import { cache, filesIn, prepare } from "./prepare.mjs"

/** How many milliseconds a run may take to start, and how much longer than before each of its test files may take. */
const START = 30_000
const SLOWER = 4
/**
 * How many milliseconds tests of other folders, and long tests, may take per change: the nearest and quickest are run.
 */
const MOST = { others: 20_000, long: 40_000 }
/** For each wanted change, this many are tried at once: types or lint refuse about one in four. */
const AT_ONCE = 2
/** Added to the rank of a long test. */
const LONG = 3
const LAST_RUN = join(cache, "mutate.json")

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    folder: { type: "string", multiple: true, default: Object.keys(FOLDERS) },
    minutes: { type: "string", default: "1000" },
    again: { type: "boolean", default: false },
    "write-docs": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
})
const count = Number(positionals[0] ?? 200)
const wanted = Number(values.seed ?? randomInt(2 ** 31))
const until = Date.now() + Number(values.minutes) * 60_000
const unknown = values.folder.find((name) => !(name in FOLDERS))
if (values.help || !(count > 0) || Number.isNaN(wanted) || Number.isNaN(until) || unknown !== undefined) {
  console.error(`Usage: npm run mutate -- [COUNT] [--seed N] [--folder NAME]… [--minutes N] [--again] [--write-docs]`)
  console.error(`Folders: ${Object.keys(FOLDERS).join(", ")}`)
  process.exit(values.help ? 0 : 2)
}

await prepare("install", "build")
const copy = copyTree()
const testsOf = await reachedBy(copy)
const runner = testRunner(copy)
const unreliable = new Set()
const { seed, results } = values.again ? await tryAgain() : { seed: wanted, results: await tryMany(randomFrom(wanted)) }
runner.end()
console.log(`\n${table(results)}\n\nNot noticed (seed ${seed}):`)
for (const result of results) if (result.outcome === "unnoticed") console.log(`- ${nameOf(result)}${sinceThen(result)}`)
if (values["write-docs"]) writeDocs(results, seed)

async function tryMany(random) {
  const chosen = await chooseChanges(random)
  const results = []
  for (const each of chosen) {
    if (Date.now() > until) break
    results.push(await tryOne(each))
    tell(`${results.length}/${count}`, results.at(-1))
    keep(wanted, results)
  }
  return results
}

/** As many as are wanted, taking folders in turn. Others replace those that types or lint refuse. */
async function chooseChanges(random) {
  const all = Object.fromEntries(values.folder.map((folder) => [folder, allChanges(folder)]))
  const chosen = Array.from({ length: count }, (_, i) => ({ folder: values.folder[i % values.folder.length] }))
  for (let open = chosen; open.length > 0; open = chosen.filter(({ taken }) => taken === undefined)) {
    const drawn = open.flatMap((slot) =>
      Array.from({ length: AT_ONCE }, () => ({ slot, ...oneOf(all[slot.folder], random) })),
    )
    // One per file: whatever is wrong in a file is then due to its one change.
    const together = [...new Map(drawn.map((each) => [each.file, each])).values()]
    const refused = await refusedOf(together)
    for (const { slot, file, change } of together) if (!refused.includes(file)) slot.taken ??= { file, change }
  }
  return chosen.map(({ folder, taken }) => ({ folder, ...taken }))
}

function oneOf(all, random) {
  return all[Math.floor(random() * all.length)]
}

/** The files whose changes types or lint refuse: such changes cannot be committed. One change per file. */
async function refusedOf(changes) {
  const sources = new Map(changes.map(({ file }) => [file, textOf(file)]))
  try {
    for (const { file, change } of changes) writeFileSync(join(copy, file), changed(sources.get(file), change))
    return await refusedFiles(copy, [...sources.keys()])
  } finally {
    for (const [file, source] of sources) writeFileSync(join(copy, file), source)
  }
}

/** What the last run left unnoticed stays in its table, with what notices it now. */
async function tryAgain() {
  const { seed, results } = JSON.parse(readFileSync(LAST_RUN, "utf8"))
  const after = []
  for (const before of results) {
    after.push(before.outcome === "unnoticed" ? await tryOnceMore(before) : before)
    keep(seed, [...after, ...results.slice(after.length)])
  }
  return { seed, results: after }
}

async function tryOnceMore(before) {
  const { folder, file } = before
  const same = allChanges(folder).find((each) => {
    return each.file === file && nameOf(before) === nameOf({ file, line: lineOf(textOf(file), each.change) })
  })
  if (same === undefined) return { ...before, now: "gone" }
  const again = await tryOne({ folder, ...same })
  tell("again", again)
  if (again.outcome === "unseen") return again
  return again.outcome === "noticed" ? { ...before, now: "noticed" } : before
}

function tell(which, { outcome, file, line, by, took }) {
  console.log(`${which} ${outcome}  ${file}:${line.number}  ${took} ms${by === undefined ? "" : `  by ${by}`}`)
  if (outcome === "unnoticed") console.log(`    ${line.before}\n    ${line.after}`)
}

function keep(seed, results) {
  mkdirSync(cache, { recursive: true })
  writeFileSync(LAST_RUN, JSON.stringify({ seed, results }))
}

function allChanges(folder) {
  return filesOf(folder, copy).flatMap((file) => changesIn(textOf(file)).map((change) => ({ file, change })))
}

async function tryOne({ folder, file, change }) {
  const source = textOf(file)
  const line = lineOf(source, change)
  const start = Date.now()
  if (isKnownUnseen({ file, line })) return { folder, file, line, outcome: "unseen", took: 0 }
  const reached = testsOf(file, source, change.from)
  const tests = [...inOrder(folder, file, reached), ...otherProcesses(folder, reached)]
  const by = await noticedBy(folder, { file, source, change }, tests)
  return { folder, file, line, by, outcome: by === undefined ? "unnoticed" : "noticed", took: Date.now() - start }
}

/** If a test of another folder fails without the change too, it has noticed nothing, and is not run again. */
async function noticedBy(folder, { file, source, change }, all) {
  const tests = all.filter(({ test }) => !unreliable.has(test))
  const longest = START + SLOWER * Math.max(0, ...tests.map(({ took }) => took))
  const names = tests.map(({ test }) => test)
  writeFileSync(join(copy, file), changed(source, change))
  let found
  try {
    found = await runner.failing(file, names, longest)
  } finally {
    writeFileSync(join(copy, file), source)
  }
  if (found === undefined) return undefined
  const isSure = found.test === undefined || FOLDERS[folder].test(found.test)
  if (isSure || (await runner.failing(file, [found.test], longest)) === undefined)
    return `${found.test ?? ""} ${found.name}`.trim()
  unreliable.add(found.test)
  return await noticedBy(folder, { file, source, change }, tests)
}

/**
 * Tests that name the file, then those of the folder, then others: they notice most, and cost least. Long ones last.
 */
function inOrder(folder, file, tests) {
  const ranked = tests.map((each) => ({ ...each, rank: rankOf(folder, file, each.test) }))
  const left = { ...MOST }
  return ranked
    .sort((a, b) => a.rank - b.rank || a.took - b.took)
    .filter(({ rank, took }) => {
      const of = rank >= LONG ? "long" : rank === LONG - 1 ? "others" : undefined
      if (of === undefined) return true
      left[of] -= took
      return left[of] >= 0
    })
}

function rankOf(folder, file, test) {
  const near = textOf(test).includes(`/${basename(file)}"`) ? 0 : FOLDERS[folder].test(test) ? 1 : 2
  return near + (test.endsWith(".long.test.ts") ? LONG : 0)
}

/** The folder's tests that start processes, whose coverage is not seen; not those of the built program, which stays. */
function otherProcesses(folder, reached) {
  const isAny = (test) => FOLDERS[folder].test(test) && /(?<!\.long)\.test\.ts$/.test(test)
  const others = filesIn("test", copy).filter((test) => isAny(test) && !reached.some((known) => known.test === test))
  const starting = others.filter(
    (test) => /child_process|child\.ts|programs\//.test(textOf(test)) && !textOf(test).includes("dist/"),
  )
  return starting.map((test) => ({ test, took: 0 }))
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

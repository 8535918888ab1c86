// Which test files run which functions of the code: runs the tests on a copy whose functions report when they are
// entered. What tests do in other processes is not seen. Cached in .cache/; only tests that changed since run again.
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import ts from "typescript"
import { cache, filesIn } from "../prepare.mjs"
import { FOLDERS, filesOf } from "./folders.mjs"
import { runToEnd } from "./notice.mjs"

const FOLDER = "reached"
const RESULTS = `${FOLDER}/results.json`
const REMEMBERED = join(cache, "mutate-reach.json")
const LONGEST_RUN = 60 * 60_000
/** Long tests in which nothing is seen here: of the built program, of real terminals and of browsers. */
const ELSEWHERE = /^test\/(docs|examples|ground|tui|web|[^/]*$)/

/**
 * Returns the test files that enter the function at an offset of a file, with the milliseconds they take; outside of
 * functions, all that enter any function of the file. Contract: `copy` is unchanged when it ends.
 */
export async function reachedBy(copy) {
  const known = existsSync(REMEMBERED) ? JSON.parse(readFileSync(REMEMBERED, "utf8")).known : {}
  const hashes = Object.fromEntries(testsOf(copy).map((test) => [test, hashOf(readFileSync(join(copy, test), "utf8"))]))
  const tests = Object.keys(hashes)
  const stale = tests.filter((test) => known[test]?.hash !== hashes[test])
  if (stale.length > 0) {
    console.log(`Which functions ${stale.length} test files run…`)
    for (const [test, result] of await run(copy, stale)) known[test] = { hash: hashes[test], ...result }
    mkdirSync(cache, { recursive: true })
    writeFileSync(REMEMBERED, JSON.stringify({ known }))
  }
  const failing = tests.filter((test) => known[test]?.failed)
  if (failing.length > 0) console.log(`Left out, because they fail without any change: ${failing.join(" ")}`)
  const all = tests.filter((test) => known[test]?.failed === false).map((test) => ({ test, ...known[test] }))
  const moved = memo((name) => (existsSync(join(copy, name)) ? undefined : basename(name)))
  return (file, source, at) => {
    const functions = functionsOf(source)
    const innermost = functions.findLast(({ from, to }) => from <= at && at < to)
    const ids = new Set(functions.map(({ id }) => id))
    const isEntered = ({ hits }) => {
      const own = file in hits ? [file] : Object.keys(hits).filter((name) => moved(name) === basename(file))
      if (innermost === undefined) return own.length > 0
      // If a function was changed since, only its old text is known: the test may enter the new one.
      return own.some((name) => hits[name].some((id) => id === innermost.id || !ids.has(id)))
    }
    return all.filter(isEntered).map(({ test, took }) => ({ test, took }))
  }
}

function memo(work) {
  const known = new Map()
  return (key) => {
    if (!known.has(key)) known.set(key, work(key))
    return known.get(key)
  }
}

function testsOf(copy) {
  const isElsewhere = (name) => name.endsWith(".long.test.ts") && (ELSEWHERE.test(name) || isOfBuilt(join(copy, name)))
  const isOurs = (name) => name.endsWith(".test.ts") && !isElsewhere(name)
  return filesIn("test", copy).filter(isOurs)
}

function isOfBuilt(test) {
  return readFileSync(test, "utf8").includes("dist/")
}

/** By test file: how long it takes, whether it fails, and which functions it enters. */
async function run(copy, tests) {
  const files = Object.keys(FOLDERS).flatMap((folder) => filesOf(folder, copy))
  const sources = new Map(files.map((file) => [file, readFileSync(join(copy, file), "utf8")]))
  const ids = new Map([...sources].map(([file, source]) => [file, functionsOf(source).map(({ id }) => id)]))
  mkdirSync(join(copy, FOLDER))
  writeFileSync(join(copy, FOLDER, "setup.mjs"), SETUP)
  writeFileSync(join(copy, FOLDER, "vitest.config.ts"), CONFIG)
  for (const [file, source] of sources) writeFileSync(join(copy, file), marked(file, source))
  try {
    const how = ["run", "--config", `${FOLDER}/vitest.config.ts`, "--root", ".", "--no-isolate", "--reporter=json"]
    await runToEnd(copy, "vitest", [...how, `--outputFile=${RESULTS}`, ...tests], LONGEST_RUN)
    const failing = failingFiles(copy)
    const written = readdirSync(join(copy, FOLDER)).filter((name) => name.endsWith(".hits"))
    const all = written.map((name) => JSON.parse(readFileSync(join(copy, FOLDER, name), "utf8")))
    return all.map(({ test, took, hits }) => {
      const named = Object.entries(hits).map(([file, numbers]) => [
        file,
        numbers.flatMap((n) => ids.get(file)[n - 1] ?? []),
      ])
      return [test, { took: Math.round(took), failed: failing.includes(test), hits: Object.fromEntries(named) }]
    })
  } finally {
    for (const [file, source] of sources) writeFileSync(join(copy, file), source)
    rmSync(join(copy, FOLDER), { recursive: true })
  }
}

function failingFiles(copy) {
  const { testResults } = JSON.parse(readFileSync(join(copy, RESULTS), "utf8"))
  return testResults.filter(({ status }) => status !== "passed").map(({ name }) => relative(realpathSync(copy), name))
}

const CONFIG = `import { mergeConfig } from "vitest/config"
import base from "../vitest.config.ts"
export default mergeConfig(base, { test: { setupFiles: ["${FOLDER}/setup.mjs"] } })
`
const SETUP = `import { writeFileSync } from "node:fs"
import { relative } from "node:path"
import { afterAll, expect } from "vitest"
// One process runs many test files; what an earlier one loaded stays.
const start = performance.now()
const files = (globalThis.reachedFiles ??= {})
for (const all of Object.values(files)) all.fill(0)
globalThis.reachedIn = (file, size) => (files[file] = new Uint8Array(size))
afterAll(() => {
  const numbers = Object.entries(files).map(([file, all]) => [file, [...all.keys()].filter((n) => all[n])])
  const hits = Object.fromEntries(numbers.filter(([, some]) => some.length > 0))
  const test = relative(process.cwd(), expect.getState().testPath)
  const found = { test, took: performance.now() - start, hits }
  writeFileSync("${FOLDER}/" + test.replaceAll("/", "_") + ".hits", JSON.stringify(found))
})
`

/** The text of a file whose functions record their numbers when they are entered; 0 is the file itself. */
export function marked(file, source) {
  const all = functionsOf(source)
  const inserts = all.flatMap(({ body, number }) => {
    const mark = `reached$[${number}] = 1`
    if (ts.isBlock(body)) return [{ at: body.getStart() + 1, text: `${mark};` }]
    return [
      { at: body.getStart(), text: `(${mark}, ` },
      { at: body.end, text: ")" },
    ]
  })
  let text = source
  for (const { at, text: more } of inserts.sort((a, b) => b.at - a.at)) text = text.slice(0, at) + more + text.slice(at)
  const size = all.length + 1
  return `const reached$ = globalThis.reachedIn?.("${file}", ${size}) ?? new Uint8Array(${size}); reached$[0] = 1; ${text}`
}

/** In the order of their text, outer ones first. A function keeps its id as long as its text stays the same. */
function functionsOf(source) {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true)
  const found = []
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const id = hashOf(node.getText(file)).slice(0, 8)
      found.push({ number: found.length + 1, id, from: node.getStart(), to: node.end, body: node.body })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function hashOf(text) {
  return createHash("sha256").update(text).digest("hex")
}

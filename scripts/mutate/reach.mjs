// Which test files run which functions of src: one run of the quick tests on a copy whose functions say when they are entered.
// What tests do in other processes is not seen.
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import ts from "typescript"
import { filesIn } from "../prepare.mjs"
import { runToEnd } from "./notice.mjs"

const FOLDER = "reached"
const RESULTS = `${FOLDER}/results.json`
/** Those of the folders that are changed, and of the command line, which runs all of them. */
const TESTS = [
  "agent/permission",
  "cli",
  "foreign",
  "formats",
  "history",
  "host",
  "provider",
  "redact",
  "runner",
  "session",
  "store",
  "tui",
  "workspace",
]
const LONGEST_RUN = 60 * 60_000
/** The program's own entry, which no test loads. */
const ENTRY = "src/cli/main.ts"

/**
 * Answers the test files that enter the function at a place of a file, with the milliseconds they take; outside of functions,
 * all that enter one of the file. Contract: `copy` is as before when it ends.
 */
export async function reachedBy(copy) {
  const files = filesIn("src", copy).filter((name) => name.endsWith(".ts") && name !== ENTRY)
  const sources = new Map(files.map((file) => [file, readFileSync(join(copy, file), "utf8")]))
  mkdirSync(join(copy, FOLDER))
  writeFileSync(join(copy, FOLDER, "setup.mjs"), SETUP)
  writeFileSync(join(copy, FOLDER, "vitest.config.ts"), CONFIG)
  for (const [file, source] of sources) writeFileSync(join(copy, file), marked(file, source))
  try {
    const quick = [
      "run",
      "--config",
      `${FOLDER}/vitest.config.ts`,
      "--root",
      ".",
      "--no-isolate",
      "--exclude=**/*.long.test.ts",
    ]
    const tests = TESTS.map((name) => `test/${name}/`)
    await runToEnd(copy, "vitest", [...quick, "--reporter=json", `--outputFile=${RESULTS}`, ...tests], LONGEST_RUN)
    const failing = failingFiles(copy)
    if (failing.length > 0) console.log(`Left out, because they fail without any change: ${failing.join(" ")}`)
    const written = readdirSync(join(copy, FOLDER)).filter((name) => name.endsWith(".hits"))
    const all = written.map((name) => JSON.parse(readFileSync(join(copy, FOLDER, name), "utf8")))
    const found = all.filter(({ test }) => !failing.includes(test))
    return (file, source, at) => {
      const innermost = functionsOf(source).findLast(({ from, to }) => from <= at && at < to)
      const entered = ({ hits: { [file]: all = [] } }) =>
        innermost === undefined ? all.length > 0 : all.includes(innermost.number)
      return found.filter(entered).map(({ test, took }) => ({ test, took }))
    }
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
// One process runs many test files; what an earlier one has loaded stays.
const start = performance.now()
const files = (globalThis.reachedFiles ??= {})
for (const all of Object.values(files)) all.fill(0)
globalThis.reachedIn = (file, size) => (files[file] = new Uint8Array(size))
afterAll(() => {
  const hits = Object.fromEntries(Object.entries(files).map(([file, all]) => [file, [...all.keys()].filter((n) => all[n])]))
  const test = relative(process.cwd(), expect.getState().testPath)
  const found = { test, took: performance.now() - start, hits }
  writeFileSync("${FOLDER}/" + test.replaceAll("/", "_") + ".hits", JSON.stringify(found))
})
`

/** The text of a file whose functions note their numbers when they are entered; 0 is the file itself. */
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

/** In the order of their text, outer ones first. */
function functionsOf(source) {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true)
  const found = []
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      found.push({ number: found.length + 1, from: node.getStart(), to: node.end, body: node.body })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

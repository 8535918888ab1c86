// npm run check: everything a change must pass. `npm run check -- lint types` runs only those steps.
import { spawn } from "node:child_process"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { prepare, root, toolPath } from "./prepare.mjs"

const node = process.execPath
/** The compiler in Go, a third of the time of the other. That one stays for svelte-check, and for the scripts that use its API. */
const NATIVE_TSC = join(root, "node_modules/typescript-native/bin/tsc")
/**
 * Tests come last and alone: they use all cores themselves. Long ones are for `npm test`.
 */
const steps = [
  { name: "lint", commands: [[toolPath("oxlint"), "--deny-warnings"]] },
  {
    name: "types",
    commands: [
      [node, NATIVE_TSC, "--noEmit", "--incremental", "--tsBuildInfoFile", ".cache/types.tsbuildinfo"],
      [toolPath("svelte-check"), "--tsconfig", "web/tsconfig.json", "--fail-on-warnings", "--output", "machine"],
    ],
  },
  { name: "unused", commands: [[toolPath("knip"), "--no-progress", "--treat-config-hints-as-errors"]] },
  { name: "format", commands: [[toolPath("biome"), "check"]] },
  {
    name: "layers",
    commands: [[node, "scripts/rooms.mjs"]],
  },
  { name: "notice", commands: [[node, "scripts/notice.mjs", "--check"]] },
  { name: "sizes", commands: [[node, "scripts/check-sizes.mjs"]] },
  {
    name: "tests",
    commands: [[node, "scripts/test.mjs", "--project", "short"]],
    alone: true,
  },
]

await prepare("install", "build")
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(", ")}. Steps: ${steps.map(({ name }) => name).join(", ")}`)
  process.exit(2)
}
const chosen = steps.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const failed = []
const quick = chosen.filter(({ alone }) => !alone)
await Promise.all(Array.from({ length: availableParallelism() }, () => work(quick)))
await work(chosen.filter(({ alone }) => alone))
console.log(failed.length === 0 ? "All good." : `Failed: ${failed.join(", ")}`)
process.exitCode = failed.length === 0 ? 0 : 1

async function work(queue) {
  for (let step = queue.shift(); step; step = queue.shift()) {
    const started = performance.now()
    const results = []
    for (const command of step.commands) results.push(await run(command))
    report(step.name, results, (performance.now() - started) / 1000)
  }
}

function report(name, results, seconds) {
  const bad = results.filter(({ code }) => code !== 0)
  const lastLine = results.at(-1).output.trimEnd().split("\n").at(-1)
  const note = ["layers", "sizes", "tests"].includes(name) ? `  ${lastLine}` : ""
  console.log(`${bad.length === 0 ? "ok  " : "FAIL"} ${name.padEnd(7)} ${seconds.toFixed(1).padStart(5)} s${note}`)
  if (bad.length === 0) return
  failed.push(name)
  for (const { output } of bad) console.log(output.trimEnd())
}

function run([command, ...args]) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text))
    child.on("error", (error) => done({ code: 1, output: error.message }))
    child.on("close", (code) => done({ code, output }))
  })
}

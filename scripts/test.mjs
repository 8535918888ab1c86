// npm test: installs and builds what is stale, runs every test (or those named after `--`), and ends with the count.
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { cache, prepare, runTool } from "./prepare.mjs"
import { prepareTestPrograms } from "./test-programs.mjs"

await prepare("install", "build")
prepareTestPrograms()
const results = join(cache, `test-results.${process.pid}.json`)
const { status } = runTool("vitest", [
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${results}`,
  ...(process.stdout.isTTY || process.env.FORCE_COLOR ? [] : ["--no-color"]),
  ...process.argv.slice(2),
])
if (existsSync(results)) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(results, "utf8"))
  const skipped = numPendingTests + numTodoTests
  console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`)
  rmSync(results)
}
process.exitCode = status ?? 1

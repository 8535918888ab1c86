// Who notices a change to a file of a copy of the project: types and lint, or a test.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { toolPath } from "../prepare.mjs"

/** Whether `npm run check` would refuse it before any test runs. */
export async function isRefused(copy, file) {
  const { status } = await runToEnd(copy, "oxlint", ["--type-check", "--quiet", file])
  return status !== 0
}

/**
 * The first of these test files that has a failing test, undefined when all pass. Tests that take longer than `longest`
 * milliseconds have noticed too: the change made a loop that does not end.
 */
export async function failingTest(copy, tests, longest) {
  if (tests.length === 0) return undefined
  const quick = ["--no-isolate", "--bail=1", "--exclude=**/*.long.test.ts", "--reporter=dot"]
  const { status, output } = await runToEnd(copy, "vitest", ["run", ...quick, ...tests], longest)
  if (status === 0) return undefined
  return /FAIL\s+(\S+\.test\.ts.*)/.exec(output)?.[1]?.trim() ?? "tests that did not end"
}

/** Its processes end together: one of them may be in an endless loop. */
export async function runToEnd(cwd, tool, args, longest = 300_000) {
  const env = { ...process.env, NO_COLOR: "1" }
  const child = spawn(toolPath(tool), args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true })
  const end = () => process.kill(-child.pid, "SIGKILL")
  const timer = setTimeout(end, longest)
  process.prependOnceListener("exit", end)
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text))
  const [status] = await once(child, "close")
  process.off("exit", end)
  clearTimeout(timer)
  return { status, output }
}

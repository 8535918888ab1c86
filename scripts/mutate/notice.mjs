// What notices a change to a file, in a copy of the project: types and lint, or a test.
import { fork, spawn } from "node:child_process"
import { once } from "node:events"
import { realpathSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { toolPath } from "../prepare.mjs"

/** Those of the changed files that `npm run check` would refuse before any test runs. */
export async function refusedFiles(copy, files) {
  const { output } = await runToEnd(copy, "oxlint", ["--type-check", "--quiet", "--format=unix", ...files])
  return files.filter((file) => output.includes(`${file}:`))
}

/** Runs tests of a copy of the project, one process after the other. */
export function testRunner(copy) {
  const base = realpathSync(copy)
  let child
  process.on("exit", end)

  async function start() {
    const env = { ...process.env, NO_COLOR: "1" }
    const program = fileURLToPath(new URL("test-process.mjs", import.meta.url))
    child = fork(program, { cwd: base, env, detached: true, stdio: ["ignore", "ignore", "ignore", "ipc"] })
    await once(child, "message")
  }

  /** Its processes end together: one of them may be in an endless loop. */
  function end() {
    if (child?.pid !== undefined && child.exitCode === null) process.kill(-Number(child.pid), "SIGKILL")
    child = undefined
  }

  /** Undefined if there is no response for that long, or if it ends. */
  function asked(request, longest) {
    return new Promise((settle) => {
      let timer = setTimeout(settle, longest)
      child.removeAllListeners("message").removeAllListeners("exit")
      child.once("exit", () => settle(undefined))
      child.on("message", (message) => {
        clearTimeout(timer)
        if (message === "alive") timer = setTimeout(settle, longest)
        else settle(message)
      })
      child.send(request)
    })
  }

  return {
    /**
     * The first of these test files that fails with this file changed, and its test; undefined if all pass. A test file
     * that takes longer than `longest` milliseconds has noticed too: the change caused an endless loop.
     */
    async failing(changed, tests, longest, isSecond = false) {
      if (tests.length === 0) return undefined
      if (child === undefined) await start()
      const answer = await asked(
        { changed: join(base, changed), tests: tests.map((test) => join(base, test)) },
        longest,
      )
      if (answer === undefined || answer.unhandled) {
        end()
        return { test: undefined, name: "tests that did not end well" }
      }
      if (answer.failing !== undefined) return { test: relative(base, answer.failing), name: answer.name }
      if (answer.whole || isSecond) return undefined
      end()
      return await this.failing(changed, tests, longest, true)
    },
    end,
  }
}

export async function runToEnd(cwd, tool, args, longest = 300_000) {
  const env = { ...process.env, NO_COLOR: "1" }
  const child = spawn(toolPath(tool), args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true })
  const end = () => process.kill(-Number(child.pid), "SIGKILL")
  const timer = setTimeout(end, longest)
  process.prependOnceListener("exit", end)
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text))
  const [status] = await once(child, "close")
  process.off("exit", end)
  clearTimeout(timer)
  return { status, output }
}

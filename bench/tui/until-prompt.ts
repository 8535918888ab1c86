// The built program on a terminal, from its start until you could type; then it is stopped.
import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { resolve } from "node:path"

/** The status line under the editor: now you could type. */
const PROMPT = /round \d/

export interface Started {
  /** Milliseconds. */
  wall: number
  /** Milliseconds of all its threads. */
  cpu: number
}

/** Contract: `cwd` has a session with a round, which is continued. */
export function untilPrompt(home: string, cwd: string): Promise<Started> {
  const command = `exec ${process.execPath} ${resolve("dist/cli.cjs")} -c --model practice`
  const { PATH = "" } = process.env
  const env = { PATH, HOME: home, RETCON_HOME: home, TERM: "xterm-256color" }
  const start = performance.now()
  const child = spawn("script", ["-qfec", command, "/dev/null"], { cwd, env, stdio: ["pipe", "pipe", "inherit"] })
  return new Promise((settle, refuse) => {
    let shown = ""
    let found: Started | undefined
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      shown += text
      if (found !== undefined || !PROMPT.test(shown)) return
      found = { wall: performance.now() - start, cpu: cpuOfChild(child.pid) }
      child.stdin.write("\u0004")
    })
    child.on("error", refuse)
    child.on("close", () => {
      if (found === undefined) refuse(new Error(`There was no prompt:\n${shown}`))
      else settle(found)
    })
  })
}

/** That of the process that `script` started, as Linux counts it. Unknown elsewhere. */
function cpuOfChild(script: number | undefined): number {
  if (process.platform !== "linux") return Number.NaN
  const pid = readFileSync(`/proc/${script}/task/${script}/children`, "utf8").trim()
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}

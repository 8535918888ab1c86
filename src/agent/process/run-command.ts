// One shell command in a process group of its own, so that all of it can be ended: SIGTERM, then SIGKILL. It ends with
// this process, also when that is killed.
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { hasCode } from "../place.ts"
import { guardGroup } from "./guard.ts"

export interface CommandOptions {
  command: string
  cwd: string
  env: Readonly<Record<string, string>>
  onOutput(bytes: Uint8Array): void
  /** Between SIGTERM and SIGKILL, in milliseconds. */
  grace?: number
}

export type Ended =
  | { how: "exit"; code: number; leftRunning: boolean }
  | { how: "signal"; signal: string }
  | { how: "failed"; problem: string }

export interface RunningCommand {
  readonly pid: number | undefined
  readonly ended: Promise<Ended>
  /** Contract: after `grace` nothing of the process group runs any more; `ended` settles. Calling it again is harmless. */
  readonly kill: () => void
}

const GRACE = 300
/** How long output may still come when the shell itself has ended. */
const DRAIN = 200

/** Contract: never throws. `onOutput` is not called after `ended` has settled. */
export function runCommand(options: CommandOptions): RunningCommand {
  const child = start(options)
  if (child instanceof Error) {
    return { pid: undefined, ended: Promise.resolve({ how: "failed", problem: child.message }), kill: () => undefined }
  }
  const guard = child.pid === undefined ? undefined : guardGroup(child.pid)
  let killing: NodeJS.Timeout | undefined
  const kill = () => {
    const { pid } = child
    if (killing !== undefined || pid === undefined) return
    signalGroup(pid, "SIGTERM")
    killing = setTimeout(() => signalGroup(pid, "SIGKILL"), options.grace ?? GRACE)
  }
  const ended = endOf(child, options, kill).finally(() => {
    if (killing !== undefined && child.pid !== undefined) {
      clearTimeout(killing)
      signalGroup(child.pid, "SIGKILL")
    }
    guard?.over()
  })
  return { pid: child.pid, ended, kill }
}

function start(options: CommandOptions): ChildProcess | Error {
  if (!existsSync(options.cwd)) return new Error(`the directory ${options.cwd} is gone`)
  try {
    const program = shell(options.env)
    // One pipe for both, so that output and errors come in the order in which they were printed.
    return spawn(program, ["-c", 'exec "$0" -c "$1" 2>&1', program, options.command], {
      cwd: options.cwd,
      env: options.env,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    })
  } catch (error) {
    // Too long a command line, or a zero byte in it.
    return error instanceof Error ? error : new Error(String(error))
  }
}

function shell(env: Readonly<Record<string, string>>): string {
  const folders = ["/bin", "/usr/bin", ...(env.PATH ?? "").split(":")]
  const folder = folders.find((each) => each.startsWith("/") && existsSync(join(each, "bash")))
  return folder === undefined ? "/bin/sh" : join(folder, "bash")
}

function endOf(child: ChildProcess, options: CommandOptions, kill: () => void): Promise<Ended> {
  return new Promise((settle) => {
    let done = false
    const finish = (how: Ended) => {
      if (done) return
      done = true
      child.stdout?.destroy()
      settle(how)
    }
    child.stdout?.on("data", (bytes: Uint8Array) => {
      if (!done) options.onOutput(bytes)
    })
    child.on("error", (error) => finish({ how: "failed", problem: error.message }))
    child.on("exit", (code, signal) => {
      const how = (leftRunning: boolean): Ended =>
        code === null ? { how: "signal", signal: signal ?? "unknown" } : { how: "exit", code, leftRunning }
      // Something that the shell left running may hold the pipes open for ever.
      const drain = setTimeout(() => {
        kill()
        finish(how(true))
      }, DRAIN)
      child.on("close", () => {
        clearTimeout(drain)
        const left = child.pid !== undefined && signalGroup(child.pid, 0)
        if (left) kill()
        finish(how(left))
      })
    })
  })
}

/** Whether there was anything to signal. Signal 0 only asks. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch (error) {
    if (hasCode(error, "ESRCH") || hasCode(error, "EPERM")) return false
    throw error
  }
}

// One shell command in its own process group, so that it can be ended: SIGTERM, then SIGKILL. No process of it that can
// be found outlives the call or this process, even if this one is killed; in a sandbox all are found.
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import type { Socket } from "node:net"
import { constants } from "node:os"
import type { Readable } from "node:stream"
import { findProgram } from "../../programs/find-program.ts"
import { MARK, marked, othersOfGroup, signal, signalGroup } from "./strays.ts"

export interface CommandOptions {
  command: string
  cwd: string
  env: Readonly<Record<string, string>>
  onOutput(bytes: Uint8Array): void
  /** Between SIGTERM and SIGKILL, in milliseconds. */
  grace?: number
  /** Words that start it in a sandbox with its own processes, which all end with the first. */
  confine?: readonly string[]
}

export type Ended =
  | { how: "exit"; code: number; left: Left }
  | { how: "signal"; signal: string }
  | { how: "failed"; problem: string }

/**
 * What it left running. `ended`: everything that was found, which in a sandbox is everything. `not found`: a process
 * holds its output open that is not in its group and does not have its environment: it may still be running.
 */
export type Left = "nothing" | "ended" | "not found"

export interface RunningCommand {
  readonly pid: number | undefined
  readonly ended: Promise<Ended>
  /**
   * Contract: after `grace`, no process of it that can be found is running, and `ended` settles. May be called again.
   */
  readonly kill: () => void
}

const GRACE = 300
/** How long output may still come after the shell itself has ended. */
const DRAIN = 200

let started = 0

/** Contract: never throws. `onOutput` is not called after `ended` has settled. */
export function runCommand(options: CommandOptions): RunningCommand {
  const mark = `${process.pid}-${++started}`
  const child = start(options, mark)
  if (child instanceof Error) {
    return { pid: undefined, ended: Promise.resolve({ how: "failed", problem: child.message }), kill: () => undefined }
  }
  const { pid } = child
  const guard = pid === undefined ? undefined : guardGroup(pid, mark)
  begin(child)
  const strays = () => (pid === undefined ? [] : marked(mark, pid))
  let killing: NodeJS.Timeout | undefined
  const killNow = () => {
    if (pid !== undefined) signalGroup(pid, "SIGKILL")
    for (const stray of strays()) signal(stray, "SIGKILL")
  }
  const kill = () => {
    if (killing !== undefined || pid === undefined) return
    // The leader of a sandbox would take everything down with it at once.
    if (options.confine === undefined) signalGroup(pid, "SIGTERM")
    else for (const member of othersOfGroup(pid)) signal(member, "SIGTERM")
    for (const stray of strays()) if (stray !== pid) signal(stray, "SIGTERM")
    killing = setTimeout(killNow, options.grace ?? GRACE)
  }
  const ended = endOf(child, options, { kill, strays }).finally(() => {
    if (killing !== undefined) {
      clearTimeout(killing)
      killNow()
    }
    guard?.over()
  })
  return { pid, ended: ended.then((how) => (killing === undefined ? how : asSignal(how))), kill }
}

/** Waits for its guard: if this process ends before there is one, nothing is started. */
const GUARDED = "read -r go <&4 || exit; "
/** One pipe for both, so that output and errors arrive in the order in which they were printed. */
const JOINED = `${GUARDED}exec "$@" 2>&1 3>&- 4<&-`
/** The first process of a sandbox, with which all others end. It reports whether there were others. */
const WATCHED =
  'trap : TERM; exec 2>/dev/null; "$@" 2>&1 3>&-; code=$?; set -- /proc/[0-9]*; [ $# -le 2 ] || echo left >&3; exit $code'

function start(options: CommandOptions, mark: string): ChildProcess | Error {
  if (!existsSync(options.cwd)) return new Error(`the directory ${options.cwd} is gone`)
  try {
    const program = shell(options)
    const own = [program, "-c", options.command]
    const words =
      options.confine === undefined
        ? ["-c", JOINED, program, ...own]
        : ["-c", `${GUARDED}exec "$@" 2>&1 4<&-`, program, ...options.confine, "/bin/sh", "-c", WATCHED, "sh", ...own]
    return spawn(program, words, {
      cwd: options.cwd,
      env: { ...options.env, [MARK]: mark },
      stdio: ["ignore", "pipe", "ignore", options.confine === undefined ? "ignore" : "pipe", "pipe"],
      detached: true,
    })
  } catch (error) {
    // The command line is too long, or contains a zero byte.
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Lets it start, now that it is guarded. */
function begin({ stdio: [, , , , go] }: ChildProcess): void {
  // Missing if no more files can be opened: then the command failed to start.
  const line = go as Socket | undefined
  line?.on("error", () => undefined)
  line?.end("\n")
}

function shell({ env, cwd }: CommandOptions): string {
  return findProgram("bash", { path: ["/bin:/usr/bin", env.PATH].join(":"), workspace: cwd }) ?? "/bin/sh"
}

/** The exit code of a shell or a sandbox for a process that our signal ended. */
function asSignal(how: Ended): Ended {
  if (how.how !== "exit") return how
  const name = Object.entries(constants.signals).find(([, number]) => how.code === 128 + number)?.[0]
  return name === "SIGTERM" || name === "SIGKILL" ? { how: "signal", signal: name } : how
}

interface Ending {
  kill: () => void
  /** Processes it started that are in no group of ours. */
  strays: () => number[]
}

function endOf(child: ChildProcess, options: CommandOptions, { kill, strays }: Ending): Promise<Ended> {
  return new Promise((settle) => {
    let [done, saidLeft] = [false, false]
    const finish = (how: Ended) => {
      if (done) return
      done = true
      child.stdout?.destroy()
      settle(how)
    }
    child.stdout?.on("data", (bytes: Uint8Array) => {
      if (!done) options.onOutput(bytes)
    })
    const isLeft = () => child.pid !== undefined && (signalGroup(child.pid, 0) || strays().length > 0)
    const told = child.stdio[3] as Readable | null | undefined
    told?.on("data", () => {
      saidLeft = true
    })
    child.on("error", (error) => finish({ how: "failed", problem: error.message }))
    child.on("exit", (code, signalled) => {
      const how = (left: Left): Ended =>
        code === null ? { how: "signal", signal: signalled ?? "unknown" } : { how: "exit", code, left }
      // Something that the shell left running may hold the pipes open forever.
      const drain = setTimeout(() => {
        const found = options.confine !== undefined || isLeft()
        kill()
        finish(how(found ? "ended" : "not found"))
      }, DRAIN)
      child.on("close", () => {
        clearTimeout(drain)
        // A sandbox reports that itself: everything in it is already gone.
        const left = options.confine === undefined ? isLeft() : saidLeft
        if (left) kill()
        finish(how(left ? "ended" : "nothing"))
      })
    })
  })
}

/** A line means that all went well; end of input without one means that this process is gone. */
const SCRIPT = `read -r _ && exit
strays() {
  for file in $(grep -lsF "$1" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -s "$2" "\${pid%/environ}"
  done
}
kill -s TERM -- "-$0"
strays "$1" TERM
sleep 1
kill -s KILL -- "-$0"
strays "$1" KILL`

interface Guard {
  /** Contract: called once nothing of the group is running, and before its number can be reused. */
  over(): void
}

/**
 * A tiny process beside a command, with a pipe to this one. If the pipe closes unexpectedly, this process was killed,
 * and the guard ends the command, which has its own process group, and whatever has left that group. Contract: never
 * throws, and keeps no process alive. If no shell can be started, the command runs unguarded.
 */
function guardGroup(group: number, mark: string): Guard {
  const guard = spawn("/bin/sh", ["-c", SCRIPT, String(group), `${MARK}=${mark}`], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  })
  const unguarded = () => undefined
  guard.on("error", unguarded)
  guard.unref()
  // Missing if no more files can be opened.
  const stdin = guard.stdin as Socket | undefined
  stdin?.on("error", unguarded)
  stdin?.unref()
  return { over: () => void stdin?.end("\n") }
}

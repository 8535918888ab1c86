// Who is working in a Codex session: the process that has its file open for writing, or its thread's lock open at all. Readers of
// the file do not count.
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { orNothing } from "../../model/failure/retcon-error.ts"
import { homeOf } from "./rollouts.ts"

/** Undefined if there is none that this user may see. */
export function holderOf(path: string, thread: string): { pid: number; lingers?: true } | undefined | "unknown" {
  const processes = orNothing(() => readdirSync("/proc"))?.filter((name) => /^\d+$/.test(name)) ?? []
  if (processes.length === 0) return "unknown"
  const file = orNothing(() => realpathSync(path)) ?? path
  const home = homeOf(file)
  const lock = home === undefined ? undefined : join(home, "thread-writer-locks", `${thread}.lock`)
  for (const name of processes) {
    if (Number(name) === process.pid) continue
    const handles = orNothing(() => readdirSync(`/proc/${name}/fd`)) ?? []
    if (handles.some((fd) => works(`/proc/${name}/fd/${fd}`, file, lock))) {
      return { pid: Number(name), ...(isDaemon(name) && { lingers: true as const }) }
    }
  }
  return undefined
}

/** In newer versions (0.166 is one), terminals share one process, which keeps their sessions open for a while. */
function isDaemon(pid: string): boolean {
  const words = orNothing(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"))?.split("\0") ?? []
  return words.includes("app-server") && words.includes("--managed-daemon")
}

/** The permission bits of a file descriptor's link show how it was opened. */
const FOR_WRITING = 0o200

function works(handle: string, file: string, lock: string | undefined): boolean {
  const opened = orNothing(() => readlinkSync(handle))
  if (opened === undefined || (opened !== file && opened !== lock)) return false
  return opened === lock || ((orNothing(() => lstatSync(handle).mode) ?? 0) & FOR_WRITING) !== 0
}

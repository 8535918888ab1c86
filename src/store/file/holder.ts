// A process that holds something, and whether it still lives.
import { readFileSync, statSync } from "node:fs"
import { hostname } from "node:os"
import { errno } from "./problems.ts"

export interface Holder {
  pid: number
  host: string
  /** When the process started, as far as the system tells: a number may be given to a later process again. */
  started: string
}

/** A holder on another machine is known to live only by its heartbeat. */
const DEAD_AFTER_MS = 60_000

/** Nobody: what a lease says that cannot be read. */
export const NOBODY: Holder = { pid: 0, host: hostname(), started: "" }

let known: Holder | undefined

export function myself(): Holder {
  known ??= { pid: process.pid, host: hostname(), started: startOf(process.pid) }
  return known
}

export function same(a: Holder, b: Holder): boolean {
  return a.pid === b.pid && a.host === b.host && a.started === b.started
}

/** `file`: its time of change is the holder's heartbeat. */
export function isAlive(holder: Holder, file: string, now: number): boolean {
  if (holder.host !== hostname()) {
    const beat = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    return now - beat < DEAD_AFTER_MS
  }
  if (holder.pid <= 0) return false
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (errno(error) !== "EPERM") return false
  }
  return holder.started === "" || startOf(holder.pid) === holder.started
}

/** The start of a process in clock ticks since boot, where /proc tells it; else nothing. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  } catch (error) {
    if (errno(error) === undefined) throw error
    return ""
  }
}

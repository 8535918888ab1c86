// Whether a process runs, and is the one that is meant: its number may be given to a later process.
import { readFileSync } from "node:fs"
import { errno, orNothing } from "../model/failure/retcon-error.ts"

/** When a process started, in ticks since boot; undefined if the system does not say. */
export function startOf(pid: number): string | undefined {
  const stat = orNothing(() => readFileSync(`/proc/${pid}/stat`, "latin1"))
  // The program's name, in parentheses, may contain anything. The start time is the 20th field after it.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
}

/** `started`: when the process that is meant started; empty if unknown. */
export function isRunning(pid: number, started: string): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  const now = startOf(pid)
  if (now !== undefined && started !== "") return now === started
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errno(error) === "EPERM"
  }
}

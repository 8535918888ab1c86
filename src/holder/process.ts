// Whether a process runs, and is the one that is meant: its number may be given to a later process.
import { readFileSync } from "node:fs"
import { errno, orNothing } from "../model/failure/retcon-error.ts"

/** When a process started, in ticks since boot; undefined if the system does not say. */
export function startOf(pid: number): string | undefined {
  return fieldsOf(pid)?.[19]
}

/** What the system says of it after its name, which is in parentheses and may contain anything. */
function fieldsOf(pid: number): string[] | undefined {
  const stat = orNothing(() => readFileSync(`/proc/${pid}/stat`, "latin1"))
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")
}

/** `started`: when the process that is meant started; empty if unknown. */
export function isRunning(pid: number, started: string): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  const [state, now] = [fieldsOf(pid)?.[0], startOf(pid)]
  // It has ended, and its parent has not noticed: in a container that may be never.
  if (state === "Z" || state === "X") return false
  if (now !== undefined && started !== "") return now === started
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errno(error) === "EPERM"
  }
}

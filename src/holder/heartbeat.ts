// The heartbeat of a holder: the time of change of the file that names it.
import { lstatSync, lutimesSync, utimesSync } from "node:fs"
import { errno } from "../model/failure/retcon-error.ts"

const HEARTBEAT_MS = 10_000

/** Returns what stops it. Contract: keeps no process alive. */
export function keepBeating(file: string, now: () => number): () => void {
  const beating = setInterval(() => beat(file, now()), HEARTBEAT_MS)
  beating.unref()
  return () => clearInterval(beating)
}

/** If the file is gone, somebody took it from us: nothing is left to do. */
function beat(file: string, now: number): void {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink() === true) lutimesSync(file, now / 1000, now / 1000)
    else if (stat !== undefined) utimesSync(file, now / 1000, now / 1000)
  } catch (error) {
    if (errno(error) === undefined) throw error
  }
}

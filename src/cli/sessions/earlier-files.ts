// What the agent of a session kept of its files: for the command line and for the terminal alike.
import { ForeignLog } from "../../foreign/foreign-log.ts"
import { type KeptFiles, keptFiles } from "../../foreign/kept-files.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import type { SessionLog } from "../../store/port.ts"

/** Undefined for a session of ours, and for an agent that keeps nothing. */
export function earlierFiles(log: SessionLog): KeptFiles | undefined {
  return log instanceof ForeignLog ? keptFiles(log, directoryOf(log)) : undefined
}

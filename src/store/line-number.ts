// Where a row is, for a person who looks at the file.
import type { Row } from "../history/tree/tree.ts"
import type { SessionLog } from "./port.ts"

/** The number of a row's line in its file, from 1. */
export function lineNumberOf(log: Pick<SessionLog, "lineNumber">, row: Row): number {
  return log.lineNumber?.(row) ?? row + 1
}

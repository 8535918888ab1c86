// What another agent's own files say of what its calls changed, where no snapshot shows it.
import type { Row } from "../tree/tree.ts"

/** Lines of a change with their mark (" ", "-", "+"), and where the hunk begins in the new text, from 1. */
export interface SaidHunk {
  newStart: number
  lines: readonly string[]
}

/**
 * How a file changed. `lineEnds`: `lf` if the agent tells every line end as LF, whatever the file has. `lastEnd`: `unknown` if it
 * does not tell whether the last line has one.
 */
export type SaidChange =
  /** Both texts. Null: there was no such file. */
  | { before: string | null; after: string | null; lineEnds: "lf" | "exact"; lastEnd?: "unknown" }
  | { hunks: readonly SaidHunk[]; lineEnds: "lf" | "exact"; lastEnd?: "unknown" }
  /** One passage became another. */
  | { replaced: string; by: string; lineEnds: "lf" | "exact" }

/** `path`: relative to the session's folder, or absolute if it is not in it. `change`: absent if only the name is told. */
export interface SaidFile {
  path: string
  change?: SaidChange
}

/** A call of which the agent's files tell what it changed: these files and no other, as far as the agent noticed. */
export interface SaidCall {
  call: string
  /** The row after which its changes were there, and the time. */
  row: Row
  at: string
  files: readonly SaidFile[]
}

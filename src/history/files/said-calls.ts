// What another agent's own files say of what its calls changed, where no snapshot shows it.
import type { Row } from "../tree/tree.ts"

/** Lines of a change with their mark (" ", "-", "+"), and where the hunk begins in the new text, from 1. */
export interface SaidHunk {
  newStart: number
  lines: readonly string[]
}

/**
 * `lf`: the agent tells every line end as LF, whatever the file has. `lf-only`: so too, and where a file has CRLF after the call, it
 * may have had both before.
 */
export type SaidLineEnds = "exact" | "lf" | "lf-only"

/** How a file changed. `lastEnd`: `unknown` if the agent does not tell whether the last line has an end. */
export type SaidChange =
  /** Both texts. Null: there was no such file. */
  | { before: string | null; after: string | null; lineEnds: SaidLineEnds; lastEnd?: "unknown" }
  | { hunks: readonly SaidHunk[]; lineEnds: SaidLineEnds; lastEnd?: "unknown" }
  /** One passage became another. */
  | { replaced: string; by: string; lineEnds: SaidLineEnds }

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

// Files that no snapshot covers, that a restore leaves alone, or in which two versions conflict.
import type { ConflictChoice } from "../failure/failure.ts"
import type { SessionId } from "../id.ts"
import type { ConflictReason, KeptReason } from "../text/file-reasons.ts"

/** `long`: its path is longer than the system allows a program to use. */
export type NotCoveredReason =
  | "large"
  | "socket"
  | "device"
  | "pipe"
  | "unreadable"
  | "long"
  | "outside"
  | "ignored"
  | "git"
export type NotCovered = { path: string; because: NotCoveredReason }

/** Lines are numbered from 1, in the file as it is now; `now` and `before` are the two sides' text. */
export type ConflictPart = { line: number; lines: number; now: string; before: string }
export type Conflict = {
  path: string
  because: ConflictReason
  parts: ConflictPart[]
  /** With `in-the-way`: a file in that folder that no snapshot covers, so the folder cannot be removed. */
  holds?: string
  /**
   * The other session that changed it, if its log says so. A workspace knows no sessions: the session layer adds this.
   */
  by?: SessionId
  /** Perhaps a command changed it, not the person: no snapshot shows what some of them changed. */
  unseen?: true
  /** A single round is taken back, and perhaps another one changed it, not the person. */
  rounds?: true
  /** Git has switched the files since then: the branches, or commits, then and now. */
  branches?: { from: string; to: string }
}

/** Contract: the choices with which a move does not meet these conflicts again. `ours` is always one of them. */
export function choicesFor(conflicts: readonly Conflict[]): ConflictChoice[] {
  const isWhole = conflicts.some(({ parts }) => parts.length === 0)
  const theirs = blockedIn(conflicts).length === 0 ? (["theirs"] as const) : []
  return ["ours", ...theirs, ...(isWhole ? [] : (["write-conflicts"] as const))]
}

/** Those that only moving something away, or leaving the file alone, settles: what is in their way is no conflict itself. */
export function blockedIn(conflicts: readonly Conflict[]): Conflict[] {
  return conflicts.filter(
    ({ path, because }) => because === "in-the-way" && !conflicts.some((above) => path.startsWith(`${above.path}/`)),
  )
}

export type Kept = { path: string; because: KeptReason; by?: SessionId }

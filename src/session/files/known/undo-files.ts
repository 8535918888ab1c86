// What an undo or redo does to the files: whether it takes them along, what it reverses, and which moment it leads to.
import { type Moment, momentAt, spansToRestore } from "../../../history/files/applied-changes.ts"
import { type FilesOperation, filesToReverse, takenBack } from "../../../history/files/files-operations.ts"
import type { MovePlan } from "../../../history/plan/plan.ts"
import { NONE } from "../../../history/tree/tree.ts"
import type { FilesMode } from "../../../model/move/moved.ts"
import type { OpenSession } from "../../state/open-session.ts"

/** An undo or redo of an operation treats the files as the operation did; any other move as asked, else as configured. */
export function modeOf(session: OpenSession, move: MovePlan, asked: FilesMode | undefined): FilesMode {
  if (asked !== undefined) return asked
  const undone = takenBack(session.history, move.undoes)
  if (undone?.files !== undefined) return "restore"
  // What an agent does after a Backtrack is undone with it, as a round is.
  return undone === undefined || undone.kind === "backtrack" ? session.filesMode : "keep"
}

/** The move of files to reverse exactly; undefined if there is none, and the files go to a moment instead. */
export function filesUndone({ history }: OpenSession, { undoes }: MovePlan): FilesOperation | undefined {
  const found = filesToReverse(history, undoes)
  return found?.record.kind === "backtrack" && hasContinued(history, found) ? undefined : found
}

/** Whether the agent has changed files since it went back. */
function hasContinued(history: OpenSession["history"], { row }: FilesOperation): boolean {
  return spansToRestore(history, { before: row }).takeBack.some((span) => span.row > row)
}

/** Where the files go, unless they go back the way they came: to right before what is undone, or to where the move goes. */
export function momentOf({ history }: OpenSession, move: MovePlan): Moment {
  const undone = move.kind === "undo" && move.undoes !== undefined ? history.rowOf(move.undoes) : NONE
  if (undone !== NONE) return { before: undone }
  return move.prompt === NONE ? momentAt(history, move.to) : { before: move.prompt }
}

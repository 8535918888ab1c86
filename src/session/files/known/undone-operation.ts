// The operation that an undo or a redo reverses.
import { redone } from "../../../history/files/call-spans.ts"
import type { MovePlan } from "../../../history/plan/plan.ts"
import { KIND } from "../../../model/record/kind.ts"
import type { FilesMove, OperationRecord } from "../../../model/record/record.ts"
import type { OpenSession } from "../../state/open-session.ts"

/** The files that the undone or redone operation moved; undefined if it moved none, or is not an operation. */
export function filesOfUndone(session: OpenSession, move: MovePlan): FilesMove | undefined {
  return operationUndone(session, move)?.files
}

/**
 * The operation that an undo or redo reverses; undefined if it reverses a round. If it was undone and redone before, this is
 * the last redo: the files may have been different by then.
 */
export function operationUndone(session: OpenSession, move: MovePlan): OperationRecord | undefined {
  if (move.undoes === undefined) return undefined
  const { history } = session
  const row = history.rowOf(move.undoes)
  const record = history.record(row)
  if (record?.type !== "operation") return undefined
  for (let later = history.size - 1; later > row; later--) {
    if (history.kind(later) !== KIND.operation) continue
    const again = history.record(later)
    if (again?.type === "operation" && redone(history, again) === record.id) return again
  }
  return record
}

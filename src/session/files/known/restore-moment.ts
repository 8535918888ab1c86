// The target moment of a restore.
import type { Moment } from "../../../history/files/applied-changes.ts"
import { snapshotOfMoment } from "../../../history/files/snapshot-of-moment.ts"
import type { MovePlan } from "../../../history/plan/plan.ts"
import { entryId, NONE } from "../../../history/tree/tree.ts"
import type { EntryId } from "../../../model/id.ts"
import { isEntryKind } from "../../../model/record/kind.ts"
import type { FilesMove } from "../../../model/record/record.ts"
import { parseSnapshotId, type SnapshotId } from "../../../workspace/port.ts"
import type { OpenSession } from "../../state/open-session.ts"

/** The moment as it is recorded; empty if the restore reverses a recorded one. */
export type RestoreTarget = Pick<FilesMove, "entry" | "before">

/** Before a prompt or an undone round; otherwise as the files were when the entry was the last one. */
export function momentOf(session: OpenSession, move: MovePlan): Moment {
  const undone = move.undoes === undefined ? NONE : session.history.rowOf(move.undoes)
  if (undone !== NONE && isEntryKind(session.history.kind(undone))) return { before: undone }
  return move.prompt === NONE ? { entry: move.to } : { before: move.prompt }
}

export function targetOf(session: OpenSession, moment: Moment): RestoreTarget {
  if ("entry" in moment) return { entry: entryId(session.history, moment.entry) }
  return { before: session.history.id(moment.before) as EntryId }
}

/** The target snapshot: what it left out and is missing now is named. */
export function snapshotSince({ history }: OpenSession, moment: Moment): { since?: SnapshotId } {
  const since = parseSnapshotId(snapshotOfMoment(history, moment))
  return since === undefined ? {} : { since }
}

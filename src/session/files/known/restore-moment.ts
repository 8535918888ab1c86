// The target moment of a restore.
import type { Moment } from "../../../history/files/applied-changes.ts"
import { snapshotOfMoment } from "../../../history/files/snapshot-of-moment.ts"
import { entryId } from "../../../history/tree/tree.ts"
import type { FilesMove } from "../../../model/record/record.ts"
import { parseSnapshotId, type SnapshotId } from "../../../workspace/port.ts"
import type { OpenSession } from "../../state/open-session.ts"

/** The moment as it is recorded; empty if the restore reverses a recorded one. */
export type RestoreTarget = Pick<FilesMove, "entry" | "before">

export function targetOf(session: OpenSession, moment: Moment): RestoreTarget {
  if ("entry" in moment) return { entry: entryId(session.history, moment.entry) }
  // After the last record only what is recorded next can be.
  if (moment.before >= session.history.size) return { entry: entryId(session.history, session.head) }
  return { before: session.history.id(moment.before) }
}

/** The target snapshot: what it left out and is missing now is named. */
export function snapshotSince({ history }: OpenSession, moment: Moment): { since?: SnapshotId } {
  const since = parseSnapshotId(snapshotOfMoment(history, moment))
  return since === undefined ? {} : { since }
}

// Differences between two snapshots as a person reads them.

import { foldersAbove } from "../../path.ts"
import type { FileChange, SnapshotId } from "../../port.ts"
import { type Difference, toFileChanges } from "../../text/change.ts"
import { printPatch } from "../../text/patch.ts"
import { differences, openView } from "../objects/snapshot-view.ts"
import { covers } from "./covers.ts"
import type { Session } from "./open-workspace.ts"

function compare(session: Session, from: SnapshotId, to: SnapshotId, paths: string[] | undefined): Difference[] {
  const [a, b] = [openView(session.objects, session.root, from), openView(session.objects, session.root, to)]
  const found = differences(a, b).filter(
    (d) => (d.from !== undefined || covers(a, d.path)) && (d.to !== undefined || covers(b, d.path)),
  )
  if (paths === undefined) return found
  const named = new Set(paths)
  return found.filter(({ path }) => named.has(path) || foldersAbove(path).some((folder) => named.has(folder)))
}

export function diffSnapshots(session: Session, from: SnapshotId, to: SnapshotId, paths?: string[]): FileChange[] {
  return toFileChanges(compare(session, from, to, paths), (oid) => session.objects.read(oid).data)
}

export function patchSnapshots(session: Session, from: SnapshotId, to: SnapshotId, paths?: string[]): Buffer {
  const read = (oid: string) => session.objects.read(oid).data
  return Buffer.concat(compare(session, from, to, paths).map((difference) => printPatch(difference, read)))
}

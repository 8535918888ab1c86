// Differences between two snapshots as a person reads them.
import { foldersAbove } from "../../file-path.ts"
import type { FileChange, SnapshotId } from "../../port.ts"
import { type Difference, toFileChanges } from "../../text/file-changes.ts"
import { printPatch } from "../../text/patch.ts"
import { differences, openView } from "../objects/snapshot-view.ts"
import { covers } from "./covers.ts"
import type { OpenWorkspace } from "./open-workspace.ts"

function compare(
  workspace: OpenWorkspace,
  from: SnapshotId,
  to: SnapshotId,
  paths: string[] | undefined,
): Difference[] {
  const [a, b] = [openView(workspace.objects, workspace.root, from), openView(workspace.objects, workspace.root, to)]
  const found = differences(a, b).filter(
    (d) => (d.from !== undefined || covers(a, d.path)) && (d.to !== undefined || covers(b, d.path)),
  )
  if (paths === undefined) return found
  const named = new Set(paths)
  return found.filter(({ path }) => named.has(path) || foldersAbove(path).some((folder) => named.has(folder)))
}

export function diffSnapshots(
  workspace: OpenWorkspace,
  from: SnapshotId,
  to: SnapshotId,
  paths?: string[],
): FileChange[] {
  return toFileChanges(compare(workspace, from, to, paths), (oid) => workspace.objects.read(oid).data)
}

export function patchSnapshots(workspace: OpenWorkspace, from: SnapshotId, to: SnapshotId, paths?: string[]): Buffer {
  const read = (oid: string) => workspace.objects.read(oid).data
  return Buffer.concat(compare(workspace, from, to, paths).map((difference) => printPatch(difference, read)))
}

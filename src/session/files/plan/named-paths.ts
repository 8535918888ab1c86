// Paths that a person names in a restore: which were not restored, and why.
import { lstatSync } from "node:fs"
import { among } from "../../../history/files/applied-changes.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { Kept } from "../../../model/move/file-outcomes.ts"
import { diskPath } from "../../../workspace/file-path.ts"
import type { RestorePlan, SnapshotId, Workspace } from "../../../workspace/port.ts"
import { changesSince } from "../known/other-sessions.ts"

/** The plan, plus the files that differ from the target snapshot but stay, because no call of the agent changed them. */
export async function withAsked(
  files: Workspace,
  plan: RestorePlan,
  then: SnapshotId,
  paths: readonly string[],
): Promise<RestorePlan> {
  const told = new Set([...plan.files, ...plan.kept].map(({ path }) => path))
  const isAsked = among(paths)
  const changes = (await changesSince(files, then, plan.now)) ?? []
  const kept = changes
    .filter(({ path, change, kind }) => kind !== "folder" && isAsked(path) && !told.has(path) && change !== "added")
    .map(({ path, change }): Kept => ({ path, because: change === "deleted" ? "deleted-since" : "changed-since" }))
  return { ...plan, kept: [...plan.kept, ...kept] }
}

/** The first path that is neither in the target snapshot nor on disk, and that the plan does not mention. */
export async function firstUnknown(
  files: Workspace,
  plan: RestorePlan,
  then: SnapshotId,
  { root, paths }: { root: string; paths: readonly string[] },
): Promise<string | undefined> {
  const told = [...plan.files, ...plan.kept, ...plan.notCovered].map(({ path }) => path)
  for (const path of paths) {
    if (told.some(among([path])) || isThere(diskPath(root, path)) || (await isIn(files, then, path))) continue
    return path
  }
  return undefined
}

function isThere(file: string | Buffer): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** A snapshot that is gone may have had it. */
async function isIn(files: Workspace, snapshot: SnapshotId, path: string): Promise<boolean> {
  try {
    return (await files.blob(snapshot, path)) !== undefined
  } catch (error) {
    if (error instanceof RetconError && error.code === "snapshot-gone") return true
    throw error
  }
}

// The plan that brings the files, or some of them, to their state at an entry. The head stays.
import { lstatSync } from "node:fs"
import { among, type Moment, momentAt } from "../../../history/files/applied-changes.ts"
import { snapshotOfMoment } from "../../../history/files/snapshot-of-moment.ts"
import { directoryOf } from "../../../history/tree/directory.ts"
import { isSaid } from "../../../history/tree/person-words.ts"
import type { Row } from "../../../history/tree/tree.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import {
  diskPath,
  parseSnapshotId,
  type RestorePlan,
  type SnapshotId,
  type Workspace,
} from "../../../workspace/port.ts"
import type { OpenSession } from "../../state/open-session.ts"
import { withUnseen } from "../known/file-gaps.ts"
import type { FilesRequest } from "../known/files-request.ts"
import type { PlannedRestore } from "./plan-steps.ts"
import { planWay, withAsked } from "./plan-way.ts"
import { wayTo, wayToBytes } from "./restore-way.ts"

export async function planRestoreTo(
  session: OpenSession,
  files: Workspace,
  entry: Row,
  request: FilesRequest,
): Promise<PlannedRestore> {
  const moment = isSaid(session.history, entry) ? { before: entry } : momentAt(session.history, entry)
  const to = isSaid(session.history, entry) ? session.history.parent(entry) : entry
  const way = async () =>
    (await wayToBytes(session, files, moment, request)) ?? (await wayTo(session, moment, request.paths))
  const told = await planWay(session, files, { from: session.head, to, moment, way }, request)
  return request.paths === undefined ? told : nameAsked(session, files, told, moment, request.paths)
}

/** Accounts for each named path: it changes, it stays as someone left it, or it does not exist. */
async function nameAsked(
  session: OpenSession,
  files: Workspace,
  planned: PlannedRestore,
  moment: Moment,
  paths: readonly string[],
): Promise<PlannedRestore> {
  const then = parseSnapshotId(snapshotOfMoment(session.history, moment))
  if (!planned.ok || then === undefined) return planned
  const named = withUnseen(await withAsked(files, planned.plan, then, paths), planned.gaps)
  const unknown = await firstUnknown(files, named, then, { root: directoryOf(session.log), paths })
  if (unknown !== undefined) return { ok: false, failure: { code: "not-found", what: "file", name: unknown } }
  return { ...planned, plan: named }
}

/** The first path that is neither in the target snapshot nor on disk, and that the plan does not mention. */
async function firstUnknown(
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

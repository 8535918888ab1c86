// Changes since a call that never ended, or since one that may have left something running, may be the call's or the
// person's: they are kept, and named.
import { among } from "../../../history/files/applied-changes.ts"
import { callSpans } from "../../../history/files/call-spans.ts"
import { changedFiles, filesOperations } from "../../../history/files/files-operations.ts"
import { type CallSnapshot, firstLeftRunning } from "../../../history/files/left-running.ts"
import { type UnendedCall, unended } from "../../../history/files/unended.ts"
import type { Row } from "../../../history/tree/tree.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { Kept } from "../../../model/move/file-outcomes.ts"
import { parseSnapshotId, type RestorePlan, type Workspace } from "../../../workspace/port.ts"
import type { OpenSession } from "../../state/open-session.ts"

/** The entries that a move leaves and reaches. `paths`: only these, and everything below them. */
export interface MoveRange {
  from: Row
  to: Row
  paths?: string[] | undefined
}

/** The plan, plus the files that stay because nobody knows who changed them. */
export async function withUnended(
  session: OpenSession,
  files: Workspace,
  plan: RestorePlan,
  { from, to, paths }: MoveRange,
): Promise<RestorePlan> {
  const calls = unended(session.history, from, to)
  const leaving = firstLeftRunning(session.history, from, to)
  if (calls.length === 0 && leaving === undefined) return plan
  const isAsked = among(paths)
  const told = new Set([...plan.files, ...plan.kept].map(({ path }) => path))
  const kept: Kept[] = []
  const add = (found: readonly string[], because: Kept["because"]) => {
    for (const path of found) {
      if (told.has(path) || !isAsked(path)) continue
      told.add(path)
      kept.push({ path, because })
    }
  }
  for (const call of calls) {
    const changed = await changedDuring(files, plan, call)
    add(await changedByNone(session, files, call, changed), "unended-call")
  }
  const late = leaving === undefined ? [] : await changedSince(files, plan, leaving)
  if (leaving !== undefined) add(await changedByNone(session, files, leaving, late), "left-running")
  return { ...plan, kept: [...plan.kept.map((each) => perhapsLate(each, late)), ...kept] }
}

/** What seems to be the person's may be the doing of what a command left running. */
function perhapsLate(kept: Kept, late: readonly string[]): Kept {
  const persons = kept.by === undefined && (kept.because === "changed-since" || kept.because === "deleted-since")
  return persons && late.includes(kept.path) ? { ...kept, because: "left-running" } : kept
}

/** Files that differ from that snapshot. None if it is gone. */
async function changedSince(files: Workspace, { now }: RestorePlan, { record }: CallSnapshot): Promise<string[]> {
  const before = parseSnapshotId(record.snapshot)
  if (before === undefined) return []
  const within = record.paths === undefined ? {} : { paths: record.paths }
  return pathsBetween(files, before, now, within)
}

/** Those of them that had changed when it was found that the call had been cut off, if that was found. */
async function changedDuring(files: Workspace, plan: RestorePlan, call: UnendedCall): Promise<string[]> {
  const changed = await changedSince(files, plan, call)
  const [before, until] = [parseSnapshotId(call.record.snapshot), parseSnapshotId(call.until)]
  if (changed.length === 0 || before === undefined || until === undefined) return changed
  const then = new Set(await pathsBetween(files, before, until))
  return changed.filter((path) => then.has(path))
}

/** Leaves out what later calls changed, and what moves of files did, because that is known. */
async function changedByNone(
  { history }: OpenSession,
  files: Workspace,
  { row }: CallSnapshot,
  changed: readonly string[],
): Promise<string[]> {
  if (changed.length === 0) return []
  const known = new Set(callSpans(history, row).flatMap(({ changes }) => changes.map(({ path }) => path)))
  for (const { record } of filesOperations(history, row).filter(changedFiles)) {
    const [before, after] = [parseSnapshotId(record.files.from), parseSnapshotId(record.files.to)]
    if (before === undefined || after === undefined) continue
    for (const path of await pathsBetween(files, before, after)) known.add(path)
  }
  return changed.filter((path) => !known.has(path))
}

async function pathsBetween(files: Workspace, ...between: Parameters<Workspace["diff"]>): Promise<string[]> {
  try {
    return (await files.diff(...between)).map(({ path }) => path)
  } catch (error) {
    if (error instanceof RetconError && error.code === "snapshot-gone") return []
    throw error
  }
}

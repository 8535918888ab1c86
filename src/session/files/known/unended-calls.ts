// Changes since a call that never ended may be the call's or the person's: they are kept, and named.
import { among } from "../../../history/files/applied-changes.ts"
import { callSpans } from "../../../history/files/call-spans.ts"
import { type Unended, unended } from "../../../history/files/unended.ts"
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
  if (calls.length === 0) return plan
  const isAsked = among(paths)
  const told = new Set([...plan.files, ...plan.kept].map(({ path }) => path))
  const kept: Kept[] = []
  for (const call of calls) {
    for (const path of await changedSince(session, files, plan, call)) {
      if (told.has(path) || !isAsked(path)) continue
      told.add(path)
      kept.push({ path, because: "unended-call" })
    }
  }
  return { ...plan, kept: [...plan.kept, ...kept] }
}

/** Leaves out what later calls changed, because that is known. */
async function changedSince(
  session: OpenSession,
  files: Workspace,
  plan: RestorePlan,
  call: Unended,
): Promise<string[]> {
  const before = parseSnapshotId(call.record.snapshot)
  if (before === undefined) return []
  const later = callSpans(session.history, call.row).flatMap(({ changes }) => changes.map(({ path }) => path))
  const within = call.record.paths === undefined ? {} : { paths: call.record.paths }
  try {
    const changes = await files.diff(before, plan.now, within)
    return changes.map(({ path }) => path).filter((path) => !later.includes(path))
  } catch (error) {
    if (error instanceof RetconError && error.code === "snapshot-gone") return []
    throw error
  }
}

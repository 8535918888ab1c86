// Names what a plan leaves alone because no snapshot covers it, so that nobody believes it was restored.
import { among } from "../../../history/files/applied-changes.ts"
import { pathsNotSeen } from "../../../history/files/uncovered-rounds.ts"
import type { NotCovered } from "../../../model/move/file-outcomes.ts"
import type { Workspace } from "../../../workspace/port.ts"
import type { OpenSession } from "../../state/open-session.ts"
import { type MoveRange, withUnended } from "../known/unended-calls.ts"
import type { PlannedRestore } from "./plan-steps.ts"

export async function nameUnended(
  session: OpenSession,
  files: Workspace,
  planned: PlannedRestore,
  range: MoveRange & { missed: NotCovered[] },
): Promise<PlannedRestore> {
  if (!planned.ok) return planned
  const plan = await withUnended(session, files, planned.plan, range)
  const told = new Set(plan.notCovered.map(({ path }) => path))
  return {
    ...planned,
    plan: { ...plan, notCovered: [...plan.notCovered, ...range.missed.filter(({ path }) => !told.has(path))] },
  }
}

/**
 * Files that the agent changed by name and that snapshots leave out, such as an ignored one.
 * Contract: call it before the plan is made, because the plan starts from the last snapshot.
 */
export async function leftOut(
  session: OpenSession,
  files: Workspace,
  { from, to, paths }: MoveRange,
): Promise<NotCovered[]> {
  const named = pathsNotSeen(session.history, from, to).filter(among(paths))
  if (named.length === 0 || files.unavailable !== undefined) return []
  const { notCovered } = await files.snapshot({ paths: named })
  return notCovered.filter(({ path }) => named.includes(path))
}

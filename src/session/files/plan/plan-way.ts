// A plan to the files of a moment. Looks first for what no snapshot covers, to name it with the plan.
import { among, type Moment } from "../../../history/files/applied-changes.ts"
import { snapshotOfMoment } from "../../../history/files/snapshot-of-moment.ts"
import { pathsNotSeen } from "../../../history/files/uncovered-rounds.ts"
import type { Row } from "../../../history/tree/tree.ts"
import type { Kept, NotCovered } from "../../../model/move/file-outcomes.ts"
import { parseSnapshotId, type RestorePlan, type SnapshotId, type Workspace } from "../../../workspace/port.ts"
import type { OpenSession } from "../../state/open-session.ts"
import { beforeSnapshots, stepBefore } from "../known/before-snapshots.ts"
import { fileGaps, withUnseen } from "../known/file-gaps.ts"
import type { FilesRequest } from "../known/files-request.ts"
import { changesSince } from "../known/other-sessions.ts"
import { snapshotSince, targetOf } from "../known/restore-moment.ts"
import { type MoveRange, withUnended } from "../known/unended-calls.ts"
import { type PlannedRestore, planSteps, withGaps } from "./plan-steps.ts"
import { isTakenAt, type RestoreWay } from "./restore-way.ts"

interface WayAsked {
  from: Row
  to: Row
  moment: Moment
  /** Computed on demand. */
  way: () => Promise<RestoreWay>
}

export async function planWay(
  session: OpenSession,
  files: Workspace,
  { from, to, moment, way }: WayAsked,
  request: FilesRequest,
): Promise<PlannedRestore> {
  const range = { from, to, paths: request.paths }
  const missed = await leftOut(session, files, range)
  const earlier = beforeSnapshots(session, moment)
  const { steps, named, said, calls } = await way()
  const { step: last, known = [] } = earlier === undefined ? {} : await stepBefore(session, files, earlier, said?.known)
  const gaps = fileGaps(session, { ...range, moment }, [...known, ...(said?.known ?? [])], calls)
  const planned = await planSteps(
    session,
    files,
    { steps: last === undefined ? steps : [...steps, last], named },
    { ...range, target: targetOf(session, moment), gaps },
    { ...request, ...snapshotSince(session, moment) },
  )
  const told = await nameUnended(session, files, planned, { ...range, missed })
  if (!told.ok) return told
  const plan =
    gaps === undefined
      ? told.plan
      : withUnseen(await withDiffering(session, files, told.plan, { moment, paths: request.paths }), gaps)
  return withGaps(session, { ...told, plan }, gaps, last?.paths)
}

/** Where some calls were not seen, but there is a snapshot of the moment itself: what differs from it, and stays, is named. */
async function withDiffering(
  { history }: OpenSession,
  files: Workspace,
  plan: RestorePlan,
  { moment, paths }: { moment: Moment; paths: readonly string[] | undefined },
): Promise<RestorePlan> {
  const then = parseSnapshotId(snapshotOfMoment(history, moment))
  return then === undefined || !isTakenAt(history, moment, then) ? plan : withAsked(files, plan, then, paths)
}

/** The plan, plus the files that differ from the target snapshot but stay, because no call of the agent changed them; of `paths`, or all. */
export async function withAsked(
  files: Workspace,
  plan: RestorePlan,
  then: SnapshotId,
  paths: readonly string[] | undefined,
): Promise<RestorePlan> {
  const told = new Set([...plan.files, ...plan.kept].map(({ path }) => path))
  const isAsked = among(paths)
  const changes = (await changesSince(files, then, plan.now)) ?? []
  const kept = changes
    .filter(({ path, change, kind }) => kind !== "folder" && isAsked(path) && !told.has(path) && change !== "added")
    .map(({ path, change }): Kept => ({ path, because: change === "deleted" ? "deleted-since" : "changed-since" }))
  return { ...plan, kept: [...plan.kept, ...kept] }
}

/** Names what a plan leaves alone because no snapshot covers it, so that nobody believes it was restored. */
async function nameUnended(
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
async function leftOut(session: OpenSession, files: Workspace, { from, to, paths }: MoveRange): Promise<NotCovered[]> {
  const named = pathsNotSeen(session.history, from, to).filter(among(paths))
  if (named.length === 0 || files.unavailable !== undefined) return []
  const { notCovered } = await files.snapshot({ paths: named })
  return notCovered.filter(({ path }) => named.includes(path))
}

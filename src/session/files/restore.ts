// Files that come along with a move, or move alone: one plan, shown by the dry run and carried out by the restore.

import { among, type Moment, spansToRestore } from "../../history/files/applied-changes.ts"
import { redone } from "../../history/files/call-spans.ts"
import { ownCommands } from "../../history/files/own-commands.ts"
import { snapshotOfMoment } from "../../history/files/snapshot-of-moment.ts"
import type { MovePlan } from "../../history/plan/plan.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { isSaid } from "../../history/tree/person-words.ts"
import { entryId, NONE, type Row } from "../../history/tree/tree.ts"
import type { Failure } from "../../model/failure/failure.ts"
import type { EntryId } from "../../model/id.ts"
import type { NotCovered } from "../../model/move/file-outcomes.ts"
import type { CommitsMade } from "../../model/move/moved.ts"
import { isEntryKind, KIND } from "../../model/record/kind.ts"
import type { FilesMove, OperationRecord } from "../../model/record/record.ts"
import { same } from "../../workspace/plan/take-back.ts"
import {
  type OnConflict,
  parseSnapshotId,
  type RestorePlan,
  type SnapshotId,
  type Step,
  type Workspace,
} from "../../workspace/port.ts"
import type { OpenSession } from "../state/open-session.ts"
import { commitsLeft } from "./commits.ts"
import { withLostRepository } from "./lost-repository.ts"
import { firstUnknown, withAsked } from "./named-paths.ts"
import { changesSince, type OtherSpan, otherSpans, withChangesUntil, withOthers } from "./others.ts"
import { stepBack, stepsOf } from "./steps.ts"
import { pathsNotSeen, roundsNotCovered } from "./uncovered.ts"
import { withUnended } from "./unended.ts"

export interface FilesRequest {
  onConflict?: OnConflict
  /** Only these paths. */
  paths?: string[]
  /** These stay as they are. */
  keep?: string[]
  /** What changed while a command ran stays too: somebody else may have changed it. */
  onlyCertain?: boolean
}

/** What is asked of the files, without the rest of a request. */
export function filesAsked({ onConflict, paths, keep, onlyCertain }: FilesRequest): FilesRequest {
  return {
    ...(onConflict === undefined ? {} : { onConflict }),
    ...(paths === undefined ? {} : { paths }),
    ...(keep === undefined ? {} : { keep }),
    ...(onlyCertain === undefined ? {} : { onlyCertain }),
  }
}

/** Which moment a restore leads to, as it is recorded; nothing when it takes a recorded one back. */
export type RestoreTarget = Pick<FilesMove, "entry" | "before">

/** `unknown`: rounds on the way of which no snapshot tells what they changed. */
export type PlannedRestore =
  | { ok: true; plan: RestorePlan; commits: CommitsMade[]; target: RestoreTarget; unknown: number }
  | { ok: false; failure: Failure; plan?: RestorePlan }

/** What happens to the files when the head goes where `move` says. */
export async function planMoveFiles(
  session: OpenSession,
  files: Workspace,
  move: MovePlan,
  request: FilesRequest,
): Promise<PlannedRestore> {
  const range = { from: move.from, to: move.to, paths: request.paths }
  const undone = operationUndone(session, move)
  if (undone?.files !== undefined) {
    const way = { steps: stepBack(undone.files), named: (plan: RestorePlan) => namedSince(session, plan, undone.at) }
    const rest = { ...range, target: {}, unknown: 0 }
    // Made first, because a plan stands on the last snapshot.
    const chosenNow =
      move.kind === "redo" && request.onConflict !== undefined
        ? await planSteps(session, files, await wayTo(session, momentOf(session, move), request.paths), rest, request)
        : undefined
    const planned = await planSteps(session, files, way, rest, request)
    if (chosenNow === undefined || !planned.ok || leadsToSame(planned, chosenNow)) return planned
    return { ok: false, failure: DONE_OTHERWISE }
  }
  const moment = momentOf(session, move)
  const missed = await leftOut(session, files, range)
  const way = await wayTo(session, moment, request.paths)
  const unknown = roundsNotCovered(session.history, move.from, move.to)
  const planned = await planSteps(
    session,
    files,
    way,
    { ...range, target: targetOf(session, moment), unknown },
    { ...request, ...snapshotSince(session, moment) },
  )
  return nameUnended(session, files, planned, { ...range, missed })
}

/** A redo repeats what was chosen then. A person who now chooses otherwise must not lose lines to the old choice. */
const DONE_OTHERWISE: Failure = {
  code: "invalid",
  problem:
    "A redo repeats what was done to the files, and this choice would lead to something else. Nothing was changed.",
  advice: "Leave the choice out to repeat what was done, or go there with back or goto and choose again.",
}

function leadsToSame(planned: PlannedRestore & { ok: true }, chosenNow: PlannedRestore): boolean {
  const actions = chosenNow.ok ? chosenNow.plan.actions : []
  if (!chosenNow.ok || actions.length !== planned.plan.actions.length) return false
  const wanted = new Map(actions.map(({ path, to }) => [path, to]))
  return planned.plan.actions.every(({ path, to }) => wanted.has(path) && same(wanted.get(path), to))
}

/** Files that no snapshot covers cannot come back: those that are gone since are named. */
function snapshotSince({ history }: OpenSession, moment: Moment): { since?: SnapshotId } {
  const since = parseSnapshotId(snapshotOfMoment(history, moment))
  return since === undefined ? {} : { since }
}

/** Before the prompt, or before the round that is undone; else as the files were when the entry was the last one. */
export function momentOf(session: OpenSession, move: MovePlan): Moment {
  const undone = move.undoes === undefined ? NONE : session.history.rowOf(move.undoes)
  if (undone !== NONE && isEntryKind(session.history.kind(undone))) return { before: undone }
  return move.prompt === NONE ? { entry: move.to } : { before: move.prompt }
}

function targetOf(session: OpenSession, moment: Moment): RestoreTarget {
  if ("entry" in moment) return { entry: entryId(session.history, moment.entry) }
  return { before: session.history.id(moment.before) as EntryId }
}

/** What brings the files, or some of them, to the state of an entry. The head stays. */
export async function planRestoreTo(
  session: OpenSession,
  files: Workspace,
  entry: Row,
  request: FilesRequest,
): Promise<PlannedRestore> {
  const moment = isSaid(session.history, entry) ? { before: entry } : { entry }
  const to = isSaid(session.history, entry) ? session.history.parent(entry) : entry
  const range = { from: session.head, to, paths: request.paths }
  const missed = await leftOut(session, files, range)
  const way = (await wayToBytes(session, files, moment, request)) ?? (await wayTo(session, moment, request.paths))
  const unknown = roundsNotCovered(session.history, range.from, range.to)
  const planned = await planSteps(
    session,
    files,
    way,
    { ...range, target: targetOf(session, moment), unknown },
    { ...request, ...snapshotSince(session, moment) },
  )
  const told = await nameUnended(session, files, planned, { ...range, missed })
  return request.paths === undefined ? told : nameAsked(session, files, told, moment, request.paths)
}

/** Of each path that is named something is told: it changes, it stays as somebody made it, or there is no such file. */
async function nameAsked(
  session: OpenSession,
  files: Workspace,
  planned: PlannedRestore,
  moment: Moment,
  paths: readonly string[],
): Promise<PlannedRestore> {
  const then = parseSnapshotId(snapshotOfMoment(session.history, moment))
  if (!planned.ok || then === undefined) return planned
  const named = await withAsked(files, planned.plan, then, paths)
  const unknown = await firstUnknown(files, named, then, { root: directoryOf(session.log), paths })
  if (unknown !== undefined) return { ok: false, failure: { code: "not-found", what: "file", name: unknown } }
  return { ...planned, plan: named }
}

type MoveRange = Parameters<typeof withUnended>[3]

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
 * What the agent changed by name and snapshots leave out, such as an ignored file: it stays, and is named.
 * Contract: asked before the plan is made, because the plan stands on the last snapshot.
 */
async function leftOut(session: OpenSession, files: Workspace, { from, to, paths }: MoveRange): Promise<NotCovered[]> {
  const named = pathsNotSeen(session.history, from, to).filter(among(paths))
  if (named.length === 0 || files.unavailable !== undefined) return []
  const { notCovered } = await files.snapshot({ paths: named })
  return notCovered.filter(({ path }) => named.includes(path))
}

async function planSteps(
  session: OpenSession,
  files: Workspace,
  { steps, named }: Way,
  { from, to, target, unknown }: MoveRange & { target: RestoreTarget; unknown: number },
  request: FilesRequest & { since?: SnapshotId },
): Promise<PlannedRestore> {
  if (files.unavailable !== undefined) {
    return { ok: false, failure: { code: "no-workspace", ...files.unavailable } }
  }
  const made = await files.planRestore({ steps, ...request })
  const plan = withLostRepository(session.history, await named(made), request)
  if (plan.conflicts.length === 0) {
    return { ok: true, plan, commits: await commitsLeft(session, from, to, plan), target, unknown }
  }
  const paths = plan.conflicts.map((conflict) => conflict.path)
  const others = plan.conflicts.flatMap(({ path, by }) => (by === undefined ? [] : [{ path, session: by }]))
  return { ok: false, failure: { code: "conflicts", paths, ...(others.length > 0 && { others }) }, plan }
}

/** The steps to take, and who else changed what they cannot take. */
interface Way {
  steps: Step[]
  named: (plan: RestorePlan) => Promise<RestorePlan>
}

async function wayTo(session: OpenSession, moment: Moment, paths: readonly string[] | undefined): Promise<Way> {
  const own = spansToRestore(session.history, moment, paths)
  const oldest = [...own.takeBack, ...own.bringAgain].map(({ from }) => from).sort()[0]
  if (oldest === undefined) return { steps: [], named: async (plan) => plan }
  const others = await otherSpans(session.store, { id: session.log.id, cwd: directoryOf(session.log) }, oldest)
  const since = new Map<string, string>()
  for (const { from, changes } of [...own.bringAgain, ...own.takeBack]) {
    for (const { path } of changes) if (from < (since.get(path) ?? "~")) since.set(path, from)
  }
  return {
    steps: stepsOf(session.history, own, { others, commands: ownCommands(session.history, oldest) }),
    named: (plan) => nameOthers(session, plan, others, (path) => since.get(path)),
  }
}

/**
 * Files that are named get the bytes of the moment, whoever has changed them since. Of a folder that is named, files that
 * were not there then and that the agent did not make stay. Undefined when that is not asked, or no snapshot is left of it.
 */
async function wayToBytes(
  session: OpenSession,
  files: Workspace,
  moment: Moment,
  { paths, onConflict, onlyCertain }: FilesRequest,
): Promise<Way | undefined> {
  if (paths === undefined || onConflict !== "theirs" || onlyCertain === true) return undefined
  const before = parseSnapshotId(snapshotOfMoment(session.history, moment))
  if (before === undefined || files.unavailable !== undefined) return undefined
  const { id: after } = await files.snapshot()
  const changes = await changesSince(files, before, after)
  if (changes === undefined) return undefined
  const own = spansToRestore(session.history, moment, paths)
  const steps = [...own.takeBack, ...own.bringAgain]
  const agents = new Set(steps.flatMap((span) => span.changes.map(({ path }) => path)))
  const isAsked = among(paths)
  const wanted = changes
    .filter(({ path, change }) => paths.includes(path) || (isAsked(path) && (change !== "added" || agents.has(path))))
    .map(({ path }) => path)
  return {
    steps: wanted.length === 0 ? [] : [{ before, after, paths: wanted }],
    // The log counts the steps that lead there one by one: what stays was taken in none of them.
    named: async (plan) => ({
      ...plan,
      untaken: plan.untaken.map(({ path }) => ({ path, steps: steps.map((_, i) => i) })),
    }),
  }
}

/** Other sessions are looked into only when something stays. */
async function namedSince(session: OpenSession, plan: RestorePlan, since: string): Promise<RestorePlan> {
  if (plan.kept.length === 0 && plan.conflicts.length === 0) return plan
  const me = { id: session.log.id, cwd: directoryOf(session.log) }
  return nameOthers(session, plan, await otherSpans(session.store, me, since), () => since)
}

async function nameOthers(
  { files }: OpenSession,
  plan: RestorePlan,
  others: readonly OtherSpan[],
  since: (path: string) => string | undefined,
): Promise<RestorePlan> {
  if (files === undefined || (plan.kept.length === 0 && plan.conflicts.length === 0)) return plan
  return withOthers(plan, await withChangesUntil(files, plan.now, others), since)
}

/** The files that the undone or redone operation moved; undefined when it moved none, or is none. */
export function filesOfUndone(session: OpenSession, move: MovePlan): FilesMove | undefined {
  return operationUndone(session, move)?.files
}

/**
 * The operation that an undo or redo takes back; undefined when it takes back a round. An operation that was undone and done
 * again is taken back as it was done last: the files may have been others by then.
 */
export function operationUndone(session: OpenSession, move: MovePlan): OperationRecord | undefined {
  if (move.undoes === undefined) return undefined
  const { history } = session
  const row = history.rowOf(move.undoes)
  const record = history.record(row)
  if (record?.type !== "operation") return undefined
  for (let later = history.size - 1; later > row; later--) {
    if (history.kind(later) !== KIND.operation) continue
    const again = history.record(later)
    if (again?.type === "operation" && redone(history, again) === record.id) return again
  }
  return record
}

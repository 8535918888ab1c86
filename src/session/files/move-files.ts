// The files in a move: left alone and reported, or restored together with the head in one operation.
import { filesOperation, takenBack } from "../../history/files/files-operations.ts"
import type { MovePlan } from "../../history/plan/plan.ts"
import { isSaid } from "../../history/tree/person-words.ts"
import { type History, NONE, type Row } from "../../history/tree/tree.ts"
import type { Failure } from "../../model/failure/failure.ts"
import { type RecordId, shortId } from "../../model/id.ts"
import type { FileGaps } from "../../model/move/file-gaps.ts"
import type { Kept } from "../../model/move/file-outcomes.ts"
import type { FilesMode, Moved, MovedFile, MoveResult } from "../../model/move/moved.ts"
import { type FilesMove, KIND } from "../../model/record/record.ts"
import { same } from "../../workspace/plan/take-back.ts"
import type { RestorePlan, Workspace } from "../../workspace/port.ts"
import type { OpenSession } from "../state/open-session.ts"
import { type FilesReport, reportOnKept } from "./files-that-stay.ts"
import { type FilesRequest, filesAsked } from "./known/files-request.ts"
import { noSnapshots } from "./known/no-snapshots.ts"
import type { RestoreTarget } from "./known/restore-moment.ts"
import { filesUndone, modeOf, momentOf } from "./known/undo-files.ts"
import { planEarlier, planEarlierMove } from "./plan/earlier-files.ts"
import { planRestoreTo } from "./plan/plan-restore-to.ts"
import { type PlannedRestore, planSteps, withGaps } from "./plan/plan-steps.ts"
import { planWay } from "./plan/plan-way.ts"
import { wayBack, wayTo } from "./plan/restore-way.ts"

type Refused = Extract<MoveResult, { outcome: "refused" }>
type FilesPart = Pick<
  Moved,
  "filesMode" | "files" | "notRestorable" | "kept" | "uncertain" | "notCovered" | "gaps" | "copied" | "commits"
>

export type PlannedFiles =
  | ({ ok: true; restore: { plan: RestorePlan; target: RestoreTarget } | undefined } & FilesReport)
  | { ok: false; refused: Refused }

export async function planFiles(
  session: OpenSession,
  plan: MovePlan,
  request: FilesRequest & { files?: FilesMode },
): Promise<PlannedFiles> {
  const mode = modeOf(session, plan, request.files)
  const own = session.history.last(KIND.snapshot) !== NONE || filesUndone(session, plan) !== undefined
  const recorded = own || session.earlier !== undefined
  if (mode === "keep") {
    if (request.onConflict !== undefined || request.keep !== undefined || request.onlyCertain === true)
      return { ok: false, refused: { outcome: "refused", failure: NO_CONFLICT } }
    if (!own) return NOTHING_TOLD
    return { ok: true, ...reportOnKept(session, plan), restore: undefined }
  }
  const refused = whyNot(session, recorded, request.files)
  if (refused !== undefined) return { ok: false, refused: { outcome: "refused", failure: refused } }
  if (session.files === undefined || !recorded) return NOTHING_TOLD
  // The operation left the files alone, so there is nothing to take back; the agent's copies show nothing ahead.
  const undone = own ? undefined : takenBack(session.history, plan.undoes)
  if (undone !== undefined && undone.files === undefined) return NOTHING_TOLD
  const asked = filesAsked(request)
  const planned = own
    ? await planMoveFiles(session, session.files, plan, asked)
    : await planEarlierMove(session, session.files, plan, asked)
  if (!planned.ok) return { ok: false, refused: refusal(planned.failure, planned.plan) }
  return {
    ok: true,
    ...told(describeFiles(planned)),
    restore: { plan: planned.plan, target: planned.target },
  }
}

function told(described: Partial<FilesPart>): FilesReport {
  return { look: () => undefined, described: async () => described }
}

const NOTHING_TOLD: PlannedFiles = { ok: true, ...told({}), restore: undefined }

/** Someone who settles conflicts, or chooses what stays, expects a restore. Refuse rather than do half of it. */
const NO_CONFLICT: Failure = {
  code: "invalid",
  problem: "You chose how to restore the files, but this move leaves them as they are. Nothing was changed.",
  advice: ["Use ", { do: "files", choice: "restore" }, ", or leave that option out."],
}

/** Refuses if the person asked for files that cannot be restored. If only a setting asks for them, they stay silently. */
function whyNot(session: OpenSession, recorded: boolean, asked: FilesMode | undefined): Failure | undefined {
  if (asked !== "restore") return undefined
  if (session.files === undefined) return { code: "no-workspace", ...noSnapshots(session.log) }
  if (session.files.unavailable !== undefined) return { code: "no-workspace", ...session.files.unavailable }
  if (recorded) return undefined
  const why =
    session.log.agent === undefined ? { reason: "this session has no snapshots of files" } : noSnapshots(session.log)
  return { code: "no-workspace", ...why }
}

export function describeFiles({ plan, commits, gaps, copied }: Extract<PlannedRestore, { ok: true }>): FilesPart {
  const files = plan.files.map(
    ({ path, change, added, removed, split }): MovedFile => ({
      path,
      change,
      ...(added === undefined ? {} : { added }),
      ...(removed === undefined ? {} : { removed }),
      ...(split && { split }),
    }),
  )
  const { kept, uncertain, notCovered } = plan
  return {
    filesMode: "restore",
    files,
    kept,
    uncertain,
    notCovered,
    ...(gaps !== undefined && { gaps }),
    ...(copied !== undefined && { copied }),
    commits,
  }
}

export function refusal(failure: Failure, plan: RestorePlan | undefined): Refused {
  return plan === undefined
    ? { outcome: "refused", failure }
    : { outcome: "refused", failure, conflicts: plan.conflicts }
}

/** The answer of a move in which someone saved files: those did not change as planned. */
export function withSaved(moved: Moved, saved: readonly Kept[]): Moved {
  if (saved.length === 0) return moved
  const isOther = (path: string) => saved.every((each) => each.path !== path)
  return {
    ...moved,
    files: moved.files.filter(({ path }) => isOther(path)),
    uncertain: moved.uncertain.filter(isOther),
    kept: [...moved.kept, ...saved],
  }
}

/**
 * Contract: files and record together, or neither. `saved`: files that someone saved while it ran, and that have those
 * bytes.
 */
export async function moveFiles(
  session: OpenSession,
  { plan, target }: { plan: RestorePlan; target: RestoreTarget },
  record: (files: FilesMove) => Promise<RecordId>,
): Promise<{ ok: true; operation: RecordId; saved: Kept[] } | { ok: false; refused: Refused }> {
  let operation: RecordId | undefined
  const restored = await session.files?.restore(plan, {
    by: session.log.id,
    record: async (done) => {
      if (done.outcome !== "restored") return
      const kept = plan.untaken.length === 0 ? {} : { kept: plan.untaken }
      operation = await record({ from: done.before, to: done.after, restore: done.id, ...target, ...kept })
    },
  })
  if (restored?.outcome === "restored" && operation !== undefined)
    return { ok: true, operation, saved: restored.kept.filter(({ because }) => because === "saved-meanwhile") }
  const paths = restored?.outcome === "refused" && restored.because === "changed" ? restored.paths : []
  const problem = "files changed while the restore was being prepared; nothing was touched"
  return {
    ok: false,
    refused: {
      outcome: "refused",
      failure: { code: "restore-failed", problem, path: paths.join(", "), rolledBack: true },
    },
  }
}

/**
 * What happens to the files when the head moves: one plan, shown by the dry run and carried out by the restore. What
 * happens to the files when the head goes where `move` says.
 */
async function planMoveFiles(
  session: OpenSession,
  files: Workspace,
  move: MovePlan,
  request: FilesRequest,
): Promise<PlannedRestore> {
  const range = { from: move.from, to: move.to, paths: request.paths }
  const undone = filesUndone(session, move)?.record
  if (undone !== undefined) {
    const way = wayBack(session, undone.files, undone.at)
    const gaps = move.kind === "redo" ? await gapsAgain(session, files, move) : undefined
    const rest = { ...range, target: {}, gaps }
    // Made first, because a plan starts from the last snapshot.
    const chosenNow =
      move.kind === "redo" && request.onConflict !== undefined
        ? await planSteps(session, files, await wayTo(session, momentOf(session, move), request.paths), rest, request)
        : undefined
    const planned = await planSteps(session, files, way, rest, request)
    if (!planned.ok) return planned
    if (chosenNow === undefined || leadsToSame(planned, chosenNow)) return withGaps(session, planned, gaps)
    return { ok: false, failure: doneOtherwise(session, move) }
  }
  const moment = momentOf(session, move)
  const way = () => wayTo(session, moment, request.paths)
  return planWay(session, files, { from: move.from, to: move.to, moment, way }, request)
}

/** What a move leaves because too little is recorded, when it is done again: the same as before. */
async function gapsAgain(session: OpenSession, files: Workspace, { undoes }: MovePlan): Promise<FileGaps | undefined> {
  const { history } = session
  const undo = undoes === undefined ? NONE : history.rowOf(undoes)
  const done = undo === NONE ? undefined : filesOperation(history, history.unit(undo))?.record.files
  const row = done === undefined ? NONE : entryRestored(history, done)
  if (done === undefined || row === NONE) return undefined
  const request: FilesRequest = { onConflict: "ours", ...(done.paths !== undefined && { paths: done.paths }) }
  const planned =
    (await planEarlier(session, files, row, request)) ?? (await planRestoreTo(session, files, row, request))
  return planned.ok ? planned.gaps : undefined
}

/** The entry that stands for the moment of a move of files: what a moment is before need not be an entry. */
function entryRestored(history: History, { before, entry }: FilesMove): Row {
  const row = history.rowOf(before ?? entry ?? "")
  if (before === undefined || row === NONE || isSaid(history, row)) return row
  return row === 0 ? NONE : history.headAfter(row - 1)
}

/** A redo repeats the earlier choice. A person who chooses differently now must not lose lines to it. */
function doneOtherwise({ history }: OpenSession, { to }: MovePlan): Failure {
  const entry = to === NONE ? "start" : shortId(history.id(to))
  return {
    code: "invalid",
    problem: "A redo repeats what was done to the files, and this choice would do something else. Nothing was changed.",
    advice: ["Leave the choice out to repeat what was done, or choose again with: ", { do: "goto", entry }],
  }
}

function leadsToSame(planned: PlannedRestore & { ok: true }, chosenNow: PlannedRestore): boolean {
  const actions = chosenNow.ok ? chosenNow.plan.actions : []
  if (!chosenNow.ok || actions.length !== planned.plan.actions.length) return false
  const wanted = new Map(actions.map(({ path, to }) => [path, to]))
  return planned.plan.actions.every(({ path, to }) => wanted.has(path) && same(wanted.get(path), to))
}

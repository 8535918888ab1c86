// back, goto, undo, redo, retract: a plan, then one record. The dry run is the same plan without the record.
import { costOf } from "../../history/plan/describe.ts"
import type { MovePlan, Planned } from "../../history/plan/plan.ts"
import { planBack, planRetract } from "../../history/plan/plan-back.ts"
import { planGoto } from "../../history/plan/plan-goto.ts"
import { planRedo, planUndo, promptRedone } from "../../history/plan/plan-undo.ts"
import { resolveEntry } from "../../history/plan/resolve.ts"
import { entryId, NONE } from "../../history/tree/tree.ts"
import type { Failure } from "../../model/failure/failure.ts"
import type { EntryId } from "../../model/id.ts"
import type { FilesMode, Moved, MoveResult } from "../../model/move/moved.ts"
import type { Author, FrontEnd, NoteRecord } from "../../model/record/record.ts"
import type { RestorePlan } from "../../workspace/port.ts"
import { describeMove } from "../files/describe-move.ts"
import type { FilesRequest } from "../files/known/files-request.ts"
import { moveFiles, planFiles, withSaved } from "../files/move-files.ts"
import { modesOf } from "../files/move-modes.ts"
import { movedElsewhere } from "../state/moved-elsewhere.ts"
import { aloneFor, busy, noticeAll, type OpenSession, recordMove } from "../state/open-session.ts"
import { stopTurn } from "../state/turn.ts"

export interface MoveOptions extends FilesRequest {
  by?: Author
  /** Report what would happen, and do nothing. */
  dryRun?: boolean
  /** In a dry run: only where the head would go, without examining the files. */
  only?: "head"
  /** The head that the person sees: the move is refused with `moved-elsewhere` if it is another one. */
  expects?: EntryId | null
  /** Through what it was asked for, if not as the session's options say. */
  via?: FrontEnd
  /** In another agent's session: move even if retcon cannot tell whether that agent is working in it. */
  evenIfRunning?: boolean
  /** Whether the files move too. By default an undo or redo does what the operation did. */
  files?: FilesMode
}

export interface GotoOptions extends MoveOptions {
  /** What the person leaves behind for the model, as a note. */
  summary?: string
  /** `exactly`: to the entry itself, even if it is a prompt. By default a prompt means before it, with its text to edit. */
  at?: "exactly"
}

export function back(session: OpenSession, rounds: number, options: MoveOptions): Promise<MoveResult> {
  return move(session, options, () => planBack(session.history, session.head, rounds))
}

export function goTo(session: OpenSession, entry: string | null, options: GotoOptions): Promise<MoveResult> {
  return move(session, options, () => {
    if (entry === null) return planGoto(session.history, session.head, NONE)
    const resolved = resolveEntry(session.history, session.head, entry)
    if (!resolved.ok) return resolved
    const names = options.at === "exactly" ? "place" : resolved.names
    return planGoto(session.history, session.head, resolved.row, names)
  })
}

export function undo(session: OpenSession, options: MoveOptions): Promise<MoveResult> {
  return move(session, options, () => planUndo(session.history, session.head))
}

export function redo(session: OpenSession, options: MoveOptions): Promise<MoveResult> {
  return move(session, options, () => {
    const planned = planRedo(session.history, session.head)
    if (!planned.ok) return planned
    return { ok: true, plan: { ...planned.plan, prompt: promptRedone(session.history, planned.plan) } }
  })
}

export function retract(session: OpenSession, options: MoveOptions): Promise<MoveResult> {
  return move(session, { ...options, files: "keep" }, () => planRetract(session.history, session.head))
}

type Wanted = MoveOptions & { summary?: string }

function move(session: OpenSession, options: Wanted, makePlan: () => Planned): Promise<MoveResult> {
  return aloneFor(session, options, () => moveNow(session, options, makePlan))
}

async function moveNow(session: OpenSession, options: Wanted, makePlan: () => Planned): Promise<MoveResult> {
  noticeAll(session)
  const elsewhere = movedElsewhere(session, options.expects)
  if (elsewhere !== undefined)
    return { outcome: "refused", failure: elsewhere, ...(await planFromHere(session, options, makePlan)) }
  const failure = busy(session)
  if (failure !== undefined && options.dryRun !== true) return { outcome: "refused", failure }
  const first = planned(session, options, makePlan)
  if (!first.ok) return { outcome: "refused", failure: first.failure }
  if (options.dryRun === true) {
    if (options.only === "head") return describeMove(session.history, first.plan, "planned")
    const dry = await dryRun(session, first.plan, options)
    return failure === undefined || dry.outcome === "refused" ? dry : { ...dry, busy: { pid: failure.pid } }
  }
  // Stopping a turn may append results for its open calls: then the plan is made again from there.
  const last = (await stopTurn(session)) ? makePlan() : first
  if (!last.ok) return { outcome: "refused", failure: last.failure }
  return carryOut(session, last.plan, options)
}

/** What the same request would do from where the head is now, if that is possible. */
async function planFromHere(session: OpenSession, options: Wanted, makePlan: () => Planned): Promise<{ plan?: Moved }> {
  const made = planned(session, { ...options, dryRun: true }, makePlan)
  if (!made.ok) return {}
  const plan =
    options.only === "head"
      ? describeMove(session.history, made.plan, "planned")
      : await dryRun(session, made.plan, options)
  return plan.outcome === "refused" ? {} : { plan }
}

/** A plan that the session's own agent would follow. */
function planned(session: OpenSession, options: Wanted, makePlan: () => Planned): Planned {
  const made = makePlan()
  if (!made.ok) return made
  const failure = foreignProblem(session, made.plan, options)
  return failure === undefined ? made : { ok: false, failure }
}

function foreignProblem({ log }: OpenSession, plan: MovePlan, options: Wanted): Failure | undefined {
  if (log.agent === undefined) return undefined
  if (options.summary !== undefined) return { code: "read-only", path: log.file ?? log.id, because: "foreign" }
  // A move of files alone is recorded in our own log.
  if (plan.from === plan.to) return undefined
  const refused = log.refuses?.(plan.to)
  if (refused !== undefined) return refused
  const unsure = options.dryRun !== true && options.evenIfRunning !== true && log.perhapsInUse?.() === true
  return unsure ? { code: "perhaps-running", session: log.id, agent: log.agent } : undefined
}

async function dryRun(session: OpenSession, plan: MovePlan, options: Wanted): Promise<MoveResult> {
  const described = describeMove(session.history, plan, "planned")
  const files = await planFiles(session, plan, options)
  if (!files.ok) return files.refused
  return {
    ...described,
    ...(await files.described()),
    cost: costOf(session.history, plan),
    modes: await modesOf(session, plan),
  }
}

async function carryOut(session: OpenSession, plan: MovePlan, options: Wanted): Promise<MoveResult> {
  const described = describeMove(session.history, plan, "moved")
  const files = await planFiles(session, plan, options)
  if (!files.ok) return files.refused
  const stays = plan.from === plan.to && (plan.kind === "goto" || plan.kind === "back")
  if (stays && !hasActions(files.restore)) return { ...described, ...(await files.described()), outcome: "unchanged" }
  const note = options.summary === undefined ? undefined : summaryNote(session, plan, options.summary)
  const head = note?.id ?? entryId(session.history, plan.to)
  const entries = note === undefined ? [] : [note]
  const by = options.by ?? "person"
  if (files.restore === undefined) {
    const operation = await recordMove(session, plan, head, by, entries, { meanwhile: files.look, via: options.via })
    return { ...described, ...(await files.described()), head, operation }
  }
  const restored = await moveFiles(session, files.restore, (filesMove) =>
    recordMove(session, plan, head, by, entries, { files: filesMove, via: options.via }),
  )
  if (!restored.ok) return restored.refused
  return withSaved({ ...described, ...(await files.described()), head, operation: restored.operation }, restored.saved)
}

function hasActions(restore: { plan: RestorePlan } | undefined): boolean {
  return restore !== undefined && restore.plan.actions.length > 0
}

/** What the person leaves behind for the model, if they ask for it. */
function summaryNote(session: OpenSession, plan: MovePlan, text: string): NoteRecord {
  return {
    id: session.ids.entry(),
    type: "note",
    parent: entryId(session.history, plan.to),
    at: session.now(),
    text,
    facts: [],
    left: entryId(session.history, plan.from),
    discards: plan.messages,
  }
}

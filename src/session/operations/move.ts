// back, goto, undo, redo, retract: a plan, then one record. The dry run is the same plan without the record.
import { costOf } from "../../history/plan/describe.ts"
import type { MovePlan, Planned } from "../../history/plan/plan.ts"
import { planBack, planRetract } from "../../history/plan/plan-back.ts"
import { planGoto } from "../../history/plan/plan-goto.ts"
import { planRedo, planUndo, promptRedone } from "../../history/plan/plan-undo.ts"
import { resolveEntry } from "../../history/plan/resolve.ts"
import { entryId, NONE } from "../../history/tree/tree.ts"
import type { Author, NoteRecord } from "../../model/record/record.ts"
import { modesOf } from "../files/modes.ts"
import { moveFiles, planFiles } from "../files/move.ts"
import { describeMove, type Moved, type MoveResult } from "../files/moved.ts"
import type { FilesMode, FilesRequest } from "../files/restore.ts"
import { busy, type Desk, follow, notice, recordMove } from "../state/open-session.ts"
import { stopTurn } from "../state/turn.ts"

export interface MoveOptions extends FilesRequest {
  by?: Author
  /** Say what would happen, and do nothing. */
  dryRun?: boolean
  /** In a dry run: only where the head would go, without a look at the files. */
  only?: "head"
  /** `log`: from where the log's replay ends now, also when another process has moved it. Else from our own head. */
  from?: "log"
  /** Whether the files come along. An undo or redo does by itself what the operation did. */
  files?: FilesMode
}

export function back(desk: Desk, rounds: number, options: MoveOptions): Promise<MoveResult> {
  return move(desk, options, () => planBack(desk.history, desk.head, rounds))
}

export function goTo(
  desk: Desk,
  entry: string | null,
  options: MoveOptions & { summary?: string },
): Promise<MoveResult> {
  return move(desk, options, () => {
    if (entry === null) return planGoto(desk.history, desk.head, NONE)
    const resolved = resolveEntry(desk.history, desk.head, entry)
    return resolved.ok ? planGoto(desk.history, desk.head, resolved.row, resolved.names) : resolved
  })
}

export function undo(desk: Desk, options: MoveOptions): Promise<MoveResult> {
  return move(desk, options, () => planUndo(desk.history, desk.head))
}

export function redo(desk: Desk, options: MoveOptions): Promise<MoveResult> {
  return move(desk, options, () => {
    const planned = planRedo(desk.history, desk.head)
    if (!planned.ok) return planned
    return { ok: true, plan: { ...planned.plan, prompt: promptRedone(desk.history, planned.plan) } }
  })
}

export function retract(desk: Desk, options: MoveOptions): Promise<MoveResult> {
  return move(desk, { ...options, files: "keep" }, () => planRetract(desk.history, desk.head))
}

type Wanted = MoveOptions & { summary?: string }

/** Nobody else moves between the plan and its record: two people who go back at once go back twice. */
function move(desk: Desk, options: Wanted, makePlan: () => Planned): Promise<MoveResult> {
  const work = () => moveNow(desk, options, makePlan)
  return options.dryRun === true || desk.log.access === "read-only" ? work() : desk.log.alone(work)
}

async function moveNow(desk: Desk, options: Wanted, makePlan: () => Planned): Promise<MoveResult> {
  notice(desk)
  if (options.from === "log") follow(desk)
  const failure = busy(desk)
  if (failure !== undefined && options.dryRun !== true) return { outcome: "refused", failure }
  const first = makePlan()
  if (!first.ok) return { outcome: "refused", failure: first.failure }
  if (options.dryRun === true) {
    if (options.only === "head") return describeMove(desk.history, first.plan, "planned")
    const planned = await dryRun(desk, first.plan, options)
    return failure === undefined || planned.outcome === "refused" ? planned : { ...planned, busy: { pid: failure.pid } }
  }
  // Stopping a turn may append what settles its calls: the plan is made anew from where that ends.
  const planned = (await stopTurn(desk)) ? makePlan() : first
  if (!planned.ok) return { outcome: "refused", failure: planned.failure }
  return carryOut(desk, planned.plan, options)
}

async function dryRun(desk: Desk, plan: MovePlan, options: Wanted): Promise<MoveResult> {
  const described = describeMove(desk.history, plan, "planned")
  const files = await planFiles(desk, plan, options)
  if (!files.ok) return files.refused
  return { ...described, ...files.described, cost: costOf(desk.history, plan), modes: await modesOf(desk, plan) }
}

async function carryOut(desk: Desk, plan: MovePlan, options: Wanted): Promise<MoveResult> {
  const described = describeMove(desk.history, plan, "moved")
  const files = await planFiles(desk, plan, options)
  if (!files.ok) return files.refused
  const stays = plan.from === plan.to && (plan.kind === "goto" || plan.kind === "back")
  if (stays && files.restore === undefined) return { ...described, ...files.described, outcome: "unchanged" }
  const note = options.summary === undefined ? undefined : summaryNote(desk, plan, options.summary)
  const head = note?.id ?? entryId(desk.history, plan.to)
  const entries = note === undefined ? [] : [note]
  const record = (moved?: Moved["files"]) => ({
    ...described,
    ...files.described,
    ...(moved && { files: moved }),
    head,
  })
  if (files.restore === undefined) {
    const operation = await recordMove(desk, plan, head, options.by ?? "person", entries)
    return { ...record(), operation }
  }
  const restored = await moveFiles(desk, files.restore, (filesMove) =>
    recordMove(desk, plan, head, options.by ?? "person", entries, filesMove),
  )
  return restored.ok ? { ...record(), operation: restored.operation } : restored.refused
}

/** What the person leaves behind for the model, when they ask for it. */
function summaryNote(desk: Desk, plan: MovePlan, text: string): NoteRecord {
  return {
    id: desk.ids.entry(),
    type: "note",
    parent: entryId(desk.history, plan.to),
    at: desk.now(),
    text,
    facts: [],
    left: entryId(desk.history, plan.from),
    discards: plan.messages,
  }
}

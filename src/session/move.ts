// back, goto, undo, redo, retract: a plan, then one record. The dry run is the same plan without the record.
import { costOf, type Cost } from "../history/describe.ts"
import type { MovePlan, Planned } from "../history/plan.ts"
import { planBack, planRetract } from "../history/plan-back.ts"
import { planGoto } from "../history/plan-goto.ts"
import { planRedo, planUndo } from "../history/plan-undo.ts"
import { resolveEntry } from "../history/resolve.ts"
import { entryId, NONE, type Row } from "../history/tree.ts"
import type { Failure } from "../model/failure.ts"
import type { EntryId, RecordId } from "../model/id.ts"
import { KIND } from "../model/kind.ts"
import { plainText } from "../model/part.ts"
import type { Author, NoteRecord, OperationKind } from "../model/record.ts"
import { busy, type Desk, notice, recordMove } from "./desk.ts"
import { stopTurn } from "./turn.ts"

export interface MoveOptions {
  by?: Author
  /** Say what would happen, and do nothing. */
  dryRun?: boolean
}

export interface FileChange {
  path: string
  change: string
}

export interface Moved {
  /** `unchanged`: we stand there already. `planned`: a dry run. */
  outcome: "moved" | "planned" | "unchanged"
  kind: OperationKind
  operation: RecordId | null
  from: EntryId | null
  head: EntryId | null
  /** Entries of the path that the new one does not have, and the other way round. */
  left: number
  regained: number
  /** Messages among those left. */
  messages: number
  /** What goes back into the editor. */
  prompt: { id: EntryId; text: string } | null
  files: FileChange[]
  /** In a dry run. */
  cost?: Cost
}

export type MoveResult = Moved | { outcome: "refused"; failure: Failure }

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
    return resolved.ok ? planGoto(desk.history, desk.head, resolved.row) : resolved
  })
}

export function undo(desk: Desk, options: MoveOptions): Promise<MoveResult> {
  return move(desk, options, () => planUndo(desk.history, desk.head))
}

export function redo(desk: Desk, options: MoveOptions): Promise<MoveResult> {
  return move(desk, options, () => planRedo(desk.history, desk.head))
}

export function retract(desk: Desk, options: MoveOptions): Promise<MoveResult> {
  return move(desk, options, () => planRetract(desk.history, desk.head))
}

async function move(
  desk: Desk,
  options: MoveOptions & { summary?: string },
  makePlan: () => Planned,
): Promise<MoveResult> {
  notice(desk)
  const failure = busy(desk)
  if (failure !== undefined) return { outcome: "refused", failure }
  const first = makePlan()
  if (!first.ok) return { outcome: "refused", failure: first.failure }
  if (options.dryRun === true) {
    return { ...describe(desk, first.plan, "planned"), cost: costOf(desk.history, first.plan) }
  }
  // Stopping a turn may append what settles its calls: the plan is made anew from where that ends.
  const stopped = await stopTurn(desk)
  const planned = stopped ? makePlan() : first
  if (!planned.ok) return { outcome: "refused", failure: planned.failure }
  const plan = planned.plan
  const stays = plan.from === plan.to && (plan.kind === "goto" || plan.kind === "back")
  if (stays) return describe(desk, plan, "unchanged")
  const by = options.by ?? "person"
  const to = entryId(desk.history, plan.to)
  const described = describe(desk, plan, "moved")
  if (options.summary === undefined) return { ...described, operation: await recordMove(desk, plan, to, by) }
  const note = summaryNote(desk, plan, options.summary)
  const operation = await recordMove(desk, plan, note.id, by, [note])
  return { ...described, operation, head: note.id }
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
    discards: messagesLeft(desk, plan),
  }
}

function describe(desk: Desk, plan: MovePlan, outcome: Moved["outcome"]): Moved {
  return {
    outcome,
    kind: plan.kind,
    operation: null,
    from: entryId(desk.history, plan.from),
    head: entryId(desk.history, plan.to),
    left: plan.left,
    regained: plan.regained,
    messages: messagesLeft(desk, plan),
    prompt: promptText(desk, plan.prompt),
    files: [],
  }
}

function messagesLeft(desk: Desk, plan: MovePlan): number {
  let count = 0
  let row = plan.from
  for (let n = 0; n < plan.left && row !== NONE; n++, row = desk.history.parent(row)) {
    if (desk.history.kind(row) === KIND.message) count++
  }
  return count
}

/** What the person typed, as they typed it. */
export function promptText(desk: Pick<Desk, "history">, row: Row): Moved["prompt"] {
  if (row === NONE) return null
  const record = desk.history.record(row)
  const text = record?.type === "message" ? (record.display ?? plainText(record.content)) : ""
  return { id: desk.history.id(row) as EntryId, text }
}

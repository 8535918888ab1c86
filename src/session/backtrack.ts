// Backtrack: the note becomes the head, under the checkpoint. What was left stays in the tree.
import { planBacktrack } from "../history/plan-backtrack.ts"
import { entryId } from "../history/tree.ts"
import type { Failure } from "../model/failure.ts"
import type { EntryId, RecordId } from "../model/id.ts"
import type { Author, NoteRecord } from "../model/record.ts"
import { busy, type Desk, notice, recordMove } from "./desk.ts"
import { promptText } from "./moved.ts"

export interface BacktrackOptions {
  checkpoint: number
  note: string
  /** What is true and the note may have forgotten. */
  facts?: string[]
  by?: Author
}

export type BacktrackResult =
  | {
      outcome: "moved"
      operation: RecordId
      note: EntryId
      discards: number
      from: EntryId | null
      /** The prompt it returned to. */
      prompt: { id: EntryId; text: string } | null
    }
  | { outcome: "refused"; failure: Failure }

export async function backtrack(desk: Desk, options: BacktrackOptions): Promise<BacktrackResult> {
  notice(desk)
  const failure = busy(desk)
  if (failure !== undefined) return { outcome: "refused", failure }
  const planned = planBacktrack(desk.history, desk.head, options.checkpoint)
  if (!planned.ok) return { outcome: "refused", failure: planned.failure }
  const { from, checkpoint, n, discards, prompt } = planned.plan
  const note: NoteRecord = {
    id: desk.ids.entry(),
    type: "note",
    parent: entryId(desk.history, checkpoint),
    at: desk.now(),
    text: options.note,
    facts: options.facts ?? [],
    checkpoint: n,
    left: entryId(desk.history, from),
    discards,
  }
  const operation = await recordMove(desk, { kind: "backtrack", from }, note.id, options.by ?? "agent", [note])
  return {
    outcome: "moved",
    operation,
    note: note.id,
    discards,
    from: note.left,
    prompt: promptText(desk.history, prompt),
  }
}

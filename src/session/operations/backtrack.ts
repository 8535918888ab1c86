// Backtrack: the note becomes the head, under the checkpoint. What was left stays in the tree.
import { planBacktrack } from "../../history/plan/plan-backtrack.ts"
import { personWords } from "../../history/tree/person-words.ts"
import { entryId } from "../../history/tree/tree.ts"
import type { Failure } from "../../model/failure/failure.ts"
import type { EntryId, RecordId } from "../../model/id.ts"
import type { MovedFile } from "../../model/move/moved.ts"
import type { Author, FilesMove, NoteRecord } from "../../model/record/record.ts"
import { promptText } from "../files/describe-move.ts"
import { describeFiles, moveFiles } from "../files/move-files.ts"
import { planRestoreTo } from "../files/plan/plan-restore-to.ts"
import { busy, notice, type OpenSession, recordMove } from "../state/open-session.ts"

export interface BacktrackOptions {
  checkpoint: number
  note: string
  /** Facts that the note may have omitted. `restored`: the files that were taken back, if any were. */
  facts?: string[] | ((restored: readonly MovedFile[] | undefined) => string[])
  /** Also take back the changes to files since the checkpoint. */
  files?: "restore"
  by?: Author
}

export type BacktrackResult =
  | {
      outcome: "moved"
      operation: RecordId
      note: EntryId
      discards: number
      from: EntryId | null
      /** The files that were taken back; undefined if that was not requested, or not possible (`filesProblem`). */
      files?: MovedFile[]
      filesProblem?: Failure
      /** The prompt it returned to. */
      prompt: { id: EntryId; text: string } | null
    }
  | { outcome: "refused"; failure: Failure }

export async function backtrack(session: OpenSession, options: BacktrackOptions): Promise<BacktrackResult> {
  notice(session)
  const failure = busy(session)
  if (failure !== undefined) return { outcome: "refused", failure }
  const planned = planBacktrack(session.history, session.head, options.checkpoint)
  if (!planned.ok) return { outcome: "refused", failure: planned.failure }
  const { from, checkpoint, n, discards, prompt } = planned.plan
  const id = session.ids.entry()
  const left = entryId(session.history, from)
  const prompts = Array.from(personWords(session.history, from, checkpoint), ({ text }) => text).reverse()
  const record = (restored?: MovedFile[], files?: FilesMove) => {
    const facts = typeof options.facts === "function" ? options.facts(restored) : (options.facts ?? [])
    const parent = entryId(session.history, checkpoint)
    const body = { text: options.note, facts, ...(prompts.length > 0 && { prompts }), checkpoint: n, left, discards }
    const note: NoteRecord = { id, type: "note", parent, at: session.now(), ...body }
    return recordMove(session, { kind: "backtrack", from }, id, options.by ?? "agent", [note], {
      ...(files && { files }),
    })
  }
  const rest = { note: id, discards, from: left, prompt: promptText(session.history, prompt) }
  if (options.files !== "restore" || session.files === undefined) {
    return { outcome: "moved", operation: await record(), ...rest }
  }
  // If the files cannot be restored, the agent still goes back: it learns of that, and continues.
  const withFiles = await planRestoreTo(session, session.files, checkpoint, {})
  const { files } = withFiles.ok ? describeFiles(withFiles) : { files: [] }
  const restored = withFiles.ok ? await moveFiles(session, withFiles, (moved) => record(files, moved)) : undefined
  if (restored?.ok === true) {
    const saved = new Set(restored.saved.map(({ path }) => path))
    const taken = files.filter(({ path }) => !saved.has(path))
    return { outcome: "moved", operation: restored.operation, ...rest, files: taken }
  }
  const filesProblem = withFiles.ok ? restored?.ok === false && restored.refused.failure : withFiles.failure
  return { outcome: "moved", operation: await record(), ...rest, ...(filesProblem && { filesProblem }) }
}

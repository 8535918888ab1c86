// Background commands keep running when the conversation moves. The answer names those left behind and, while they run, does not
// attribute changes since a snapshot to the person.
import type { BackgroundJob } from "../../agent/process/jobs.ts"
import { commonAncestor, type History, NONE, path, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { Kept } from "../../model/move/file-outcomes.ts"
import type { MoveResult } from "../../model/move/moved.ts"

/** Contract: takes time in proportion to the entries left, and only while a command runs. */
export function withRunning(history: History, jobs: readonly BackgroundJob[], answer: MoveResult): MoveResult {
  const running = jobs.filter(({ ended }) => ended === undefined)
  if (running.length === 0 || answer.outcome === "refused") return answer
  const calls = callsLeft(history, rowOf(history, answer.from), rowOf(history, answer.head))
  const left = running.filter(({ call }) => calls.has(call)).map(({ id, command }) => ({ job: id, command }))
  return { ...answer, kept: answer.kept.map(perhapsCommands), ...(left.length > 0 && { stillRunning: left }) }
}

function perhapsCommands(kept: Kept): Kept {
  const persons = kept.by === undefined && (kept.because === "changed-since" || kept.because === "deleted-since")
  return persons ? { ...kept, because: "running-command" } : kept
}

function callsLeft(history: History, from: Row, to: Row): Set<string> {
  if (from === NONE) return new Set()
  const left = path(history, from, commonAncestor(history, from, to)).map((row) => history.record(row))
  const parts = left.flatMap((record) => (record?.type === "message" ? record.content : []))
  return new Set(parts.flatMap((part) => (part.type === "tool-call" ? [part.call] : [])))
}

function rowOf(history: History, entry: EntryId | null): Row {
  return entry === null ? NONE : history.rowOf(entry)
}

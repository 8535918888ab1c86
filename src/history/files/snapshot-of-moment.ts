// The snapshot with the files as they were on disk at a moment of the log.
import { KIND } from "../../model/record/record.ts"
import { chain, type History, NONE, type Row } from "../tree/tree.ts"
import { type Moment, momentRow } from "./applied-changes.ts"
import { filesOperation } from "./files-operations.ts"

/**
 * Right before a prompt: the one at the start of its round. Otherwise the last one up to the moment, or the result of a
 * later move of files; if there is neither, the first one after it. Contract: costs the snapshots since the moment.
 */
export function snapshotOfMoment(history: History, moment: Moment): string | undefined {
  const row = momentRow(history, moment)
  const { last, next } = snapshotsAround(history, row)
  const first = next === NONE ? undefined : history.record(next)
  const begins = first?.type === "snapshot" && first.when === "before"
  if (begins && "before" in moment && isOfRound(history, first.entry, moment.before)) return first.snapshot
  for (let at = row - 1; at > last; at--) {
    const move = filesOperation(history, at)
    if (move !== undefined) return move.record.files.to
  }
  const before = last === NONE ? undefined : history.record(last)
  const found = before ?? first
  return found?.type === "snapshot" ? found.snapshot : undefined
}

function snapshotsAround(history: History, moment: Row): { last: Row; next: Row } {
  let next = NONE
  for (const row of chain(history, KIND.snapshot)) {
    if (row < moment) return { last: row, next }
    next = row
  }
  return { last: NONE, next }
}

function isOfRound(history: History, entry: string | null, prompt: Row): boolean {
  const row = entry === null ? NONE : history.rowOf(entry)
  return row !== NONE && (row === prompt || history.prompt(row) === prompt)
}

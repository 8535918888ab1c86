// Who changed files: the spans of all tool calls, from the snapshots in the log, and the moves of files between them.
import type { RecordId } from "../../model/id.ts"
import { KIND } from "../../model/record/kind.ts"
import type { FilesMove, OperationRecord, SnapshotRecord } from "../../model/record/record.ts"
import { type History, NONE, type Row } from "../tree/tree.ts"
import type { CallSpan } from "./call-span.ts"
import { apart } from "./split-overlaps.ts"

/** An operation that moved files. */
export interface FilesOperation {
  row: Row
  record: OperationRecord & { files: FilesMove }
}

/**
 * Contract: oldest first, and no two contain a path at the same time: where spans overlap, each stretch of time belongs
 * to one of them. A span is dropped if files were moved during it, or if its entry cannot be read: its changes are
 * nobody's. `since`: only those that ended after this row, at the cost of what follows it and of spans that were open
 * then.
 */
export function callSpans(history: History, since: Row = NONE): CallSpan[] {
  const { found, first } = closedSince(history, since)
  const moves = found.length === 0 ? [] : filesOperations(history, first === 0 ? NONE : first - 1)
  const all = apart(found.filter((span) => !isMovedIn(span, moves)))
  return since === NONE ? all : all.filter((span) => span.row > since)
}

/** Whether files were moved while the span was open. `moves` are oldest first. */
function isMovedIn(span: CallSpan, moves: readonly FilesOperation[]): boolean {
  let [low, high] = [0, moves.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((moves[middle] as FilesOperation).row > span.opened) high = middle
    else low = middle + 1
  }
  return (moves[low]?.row ?? NONE) < span.row
}

/**
 * Spans that ended after `since`, with all that overlap them, oldest first; `first` is the row where the oldest opened.
 * Walks the chain of snapshots from its end until no span is open.
 */
function closedSince(history: History, since: Row): { found: CallSpan[]; first: Row } {
  const floor = since === NONE ? 0 : since + 1
  const found: CallSpan[] = []
  const open = new Map<string, CallSpan[]>()
  let first = history.size
  for (let row = history.last(KIND.snapshot); row !== NONE; row = history.link(row)) {
    if (row < floor && row < first && open.size === 0) break
    const record = history.record(row)
    if (record?.type !== "snapshot") continue
    const key = `${record.entry} ${record.call}`
    if (record.when === "before") {
      for (const span of open.get(key) ?? []) span.opened = row
      if (open.delete(key)) first = Math.min(first, row)
    } else {
      const span = spanOf(history, row, record)
      if (span === undefined) continue
      first = Math.min(first, row)
      found.push(span)
      open.set(key, [...(open.get(key) ?? []), span])
    }
  }
  return { found: found.reverse(), first }
}

/** `opened` is set to the end of the span, until the walk reaches its beginning. */
function spanOf(history: History, row: Row, record: SnapshotRecord): CallSpan | undefined {
  if (record.since === undefined || record.entry === null) return undefined
  const { since, snapshot: after, call, changes = [], at: until } = record
  const entry = history.rowOf(record.entry)
  if (entry === NONE) return undefined
  const whole = record.paths === undefined
  return { row, opened: row, entry, call, before: since.snapshot, after, from: since.at, until, whole, changes }
}

/** The operation that a redo repeats; undefined for anything but a redo. */
export function redone(history: History, { undoes }: OperationRecord): RecordId | undefined {
  const undo = undoes === undefined ? undefined : history.record(history.rowOf(undoes))
  return undo?.type === "operation" ? undo.undoes : undefined
}

/** Those after the row `since`, oldest first. */
export function filesOperations(history: History, since: Row = NONE): FilesOperation[] {
  const found: FilesOperation[] = []
  for (let row = since === NONE ? 0 : since + 1; row < history.size; row++) {
    const operation = filesOperation(history, row)
    if (operation !== undefined) found.push(operation)
  }
  return found
}

/** Undefined for a row that is not an operation, or that moved no files. */
export function filesOperation(history: History, row: Row): FilesOperation | undefined {
  if (!history.movesFiles(row)) return undefined
  const record = history.record(row)
  if (record?.type !== "operation" || record.files === undefined) return undefined
  return { row, record: { ...record, files: record.files } }
}

// Who changed files. A window is the time of one tool call, between the snapshots before and after it: what differs is
// the call's doing; all else is the person's.
import { KIND } from "../model/kind.ts"
import type { FilesMove, OperationRecord, SnapshotChange, SnapshotRecord } from "../model/record.ts"
import { apart } from "./apart.ts"
import { type History, NONE, type Row } from "./tree.ts"

export interface Window {
  /** The rows of its records before and after. */
  opened: Row
  row: Row
  /** The entry whose tool call it is. */
  entry: Row
  call: string | undefined
  before: string
  after: string
  from: string
  until: string
  /** All files were looked at, not only named ones. */
  whole: boolean
  changes: SnapshotChange[]
}

/** An operation that moved files. */
export interface FilesOperation {
  row: Row
  record: OperationRecord & { files: FilesMove }
}

/**
 * Contract: oldest first, and no two hold a path at the same time: where windows overlap, each stretch of time belongs to
 * one of them. A window that files were moved in, or whose entry cannot be read, tells nothing: its changes are nobody's.
 * `since`: only those that ended after this row, at the cost of what follows it.
 */
export function windows(
  history: History,
  moves: readonly FilesOperation[] = filesOperations(history),
  since: Row = NONE,
): Window[] {
  const rows: Row[] = []
  const first = since === NONE ? 0 : since + 1
  for (let row = history.last(KIND.snapshot); row !== NONE && row >= first; row = history.link(row)) rows.push(row)
  const opened = new Map<string, Row>()
  const found: Window[] = []
  for (const row of rows.reverse()) {
    const record = history.record(row)
    if (record?.type !== "snapshot") continue
    const key = `${record.entry} ${record.call}`
    if (record.when === "before") opened.set(key, row)
    else found.push(...windowOf(history, row, record, opened.get(key) ?? row))
  }
  return apart(found.filter((window) => !moves.some(({ row }) => row > window.opened && row < window.row)))
}

function windowOf(history: History, row: Row, record: SnapshotRecord, opened: Row): Window[] {
  if (record.since === undefined || record.entry === null) return []
  const { since, snapshot: after, call, changes = [], at: until } = record
  const entry = history.rowOf(record.entry)
  if (entry === NONE) return []
  return [
    {
      row,
      opened,
      entry,
      call,
      before: since.snapshot,
      after,
      from: since.at,
      until,
      whole: record.paths === undefined,
      changes,
    },
  ]
}

/** Oldest first, of the rows after `since`. */
export function filesOperations(history: History, since: Row = NONE): FilesOperation[] {
  const found: FilesOperation[] = []
  for (let row = since === NONE ? 0 : since + 1; row < history.size; row++) {
    if (history.kind(row) !== KIND.operation) continue
    const record = history.record(row)
    if (record?.type === "operation" && record.files !== undefined) {
      found.push({ row, record: { ...record, files: record.files } })
    }
  }
  return found
}

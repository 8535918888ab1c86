// Who changed files, and which of those changes the files hold now. A window is the time of one tool call, between the
// snapshots before and after it: what differs is the call's doing; all else is the person's.
import { KIND } from "../model/kind.ts"
import type { OperationRecord, SnapshotChange, SnapshotRecord } from "../model/record.ts"
import { path } from "./path.ts"
import { type History, NONE, type Row } from "./tree.ts"

export interface Window {
  /** The row of its `after` record: windows are told apart by it. */
  row: Row
  /** The entry whose tool call it is. */
  entry: Row
  call: string | undefined
  before: string
  after: string
  from: string
  until: string
  changes: SnapshotChange[]
}

/** All windows of the log, oldest first. */
export function windows(history: History): Window[] {
  const found: Window[] = []
  for (let row = history.last(KIND.snapshot); row !== NONE; row = history.link(row)) {
    const record = history.record(row)
    if (record?.type === "snapshot") found.push(...windowOf(history, row, record))
  }
  return found.reverse()
}

function windowOf(history: History, row: Row, record: SnapshotRecord): Window[] {
  if (record.since === undefined || record.entry === null) return []
  const { since, snapshot: after, call, changes = [], at: until } = record
  const entry = history.rowOf(record.entry)
  return [{ row, entry, call, before: since.snapshot, after, from: since.at, until, changes }]
}

/** The windows whose entry is on the path to `head`. */
export function windowsOn(history: History, all: readonly Window[], head: Row): Window[] {
  const rows = new Set(path(history, head))
  return all.filter((window) => rows.has(window.entry))
}

/**
 * The windows whose changes are in the files now, oldest first: those that happened, less those that an operation took
 * back, and those it brought again. Files may stand elsewhere than the head.
 */
export function applied(history: History, all: readonly Window[]): Window[] {
  let now = new Set<Window>()
  const before = new Map<string, Set<Window>>()
  const byRow = new Map(all.map((window) => [window.row, window]))
  for (let row = 0; row < history.size; row++) {
    const kind = history.kind(row)
    const window = kind === KIND.snapshot ? byRow.get(row) : undefined
    if (window !== undefined) now = new Set([...now, window])
    if (kind !== KIND.operation) continue
    const record = history.record(row)
    if (record?.type !== "operation" || record.files === undefined || record.files.paths !== undefined) continue
    before.set(record.id, now)
    const returned = record.undoes === undefined ? undefined : before.get(record.undoes)
    now =
      returned ??
      new Set(
        windowsOn(
          history,
          all.filter((each) => each.row < row),
          target(history, record),
        ),
      )
  }
  return all.filter((window) => now.has(window))
}

function target(history: History, record: OperationRecord): Row {
  const entry = record.files?.entry === undefined ? record.head.to : record.files.entry
  return entry === null ? NONE : history.rowOf(entry)
}

/** What brings the files to where `head` stands: windows to take back, newest first, and to bring again, oldest first. */
export function filesPlan(history: History, head: Row): { takeBack: Window[]; bringAgain: Window[] } {
  const all = windows(history)
  const now = new Set(applied(history, all))
  const wanted = new Set(windowsOn(history, all, head))
  return {
    takeBack: all.filter((window) => now.has(window) && !wanted.has(window)).reverse(),
    bringAgain: all.filter((window) => wanted.has(window) && !now.has(window)),
  }
}

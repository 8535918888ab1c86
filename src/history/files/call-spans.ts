// Who changed files: the spans of all tool calls, from the snapshots in the log.
import { KIND, type SnapshotChange, type SnapshotRecord } from "../../model/record/record.ts"
import { type History, NONE, type Row } from "../tree/tree.ts"
import { changedFiles, type FilesOperation, filesOperations } from "./files-operations.ts"
import type { SaidFile } from "./said-calls.ts"

/**
 * Contract: oldest first, and no two contain a path at the same time: where spans overlap, each stretch of time belongs
 * to one of them. A span is dropped if files were moved during it, or if its entry cannot be read: its changes are
 * nobody's. `since`: only those that ended after this row, at the cost of what follows it and of spans that were open
 * then.
 */
export function callSpans(history: History, since: Row = NONE): CallSpan[] {
  const { found, first } = closedSince(history, since)
  const moves = found.length === 0 ? [] : filesOperations(history, first === 0 ? NONE : first - 1).filter(changedFiles)
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

/**
 * Splits overlapping spans: a background command and edits meanwhile, or two calls at once. Each change must be taken
 * back only once, so for each path time is cut where spans start and end, and each stretch belongs to one span.
 * Contract: oldest first; no two of the returned spans contain a path at the same time.
 */
export function apart(all: readonly CallSpan[]): CallSpan[] {
  const sorted = [...all].sort((a, b) => a.opened - b.opened || a.row - b.row)
  const found: CallSpan[] = []
  let group: CallSpan[] = []
  let until = -1
  for (const span of sorted) {
    if (span.opened >= until) {
      found.push(...cut(group))
      group = []
    }
    group.push(span)
    until = Math.max(until, span.row)
  }
  return [...found, ...cut(group)]
}

interface Boundary {
  row: Row
  snapshot: string
  at: string
}

function cut(group: readonly CallSpan[]): CallSpan[] {
  if (group.length < 2) return [...group]
  const stretches = new Map<string, CallSpan>()
  for (const [path, owners] of ownersByPath(group)) {
    const boundaries = owners.flatMap(boundariesOf).sort((a, b) => a.row - b.row)
    for (const [i, begin] of boundaries.entries()) {
      const end = boundaries[i + 1]
      const owner = end === undefined ? undefined : ownerOf(owners, begin, end)
      if (end === undefined || owner === undefined) continue
      const change = owner.changes.find((each) => each.path === path)
      add(stretches, owner, begin, end, change ?? { path, change: "modified", during: "command" })
    }
  }
  return [...stretches.values()].sort((a, b) => a.opened - b.opened || a.row - b.row)
}

/** A command owns every path: what it created and another call removed is in neither one's changes. */
function ownersByPath(group: readonly CallSpan[]): Map<string, CallSpan[]> {
  const paths = new Set(group.flatMap(({ changes }) => changes.map(({ path }) => path)))
  const holds = (span: CallSpan, path: string) => span.whole || span.changes.some((each) => each.path === path)
  return new Map([...paths].map((path) => [path, group.filter((span) => holds(span, path))]))
}

function boundariesOf({ opened, row, before, after, from, until }: CallSpan): Boundary[] {
  return [
    { row: opened, snapshot: before, at: from },
    { row, snapshot: after, at: until },
  ]
}

/** A call that names the path wins over a command; among equals, the one that opened last. */
function ownerOf(owners: readonly CallSpan[], begin: Boundary, end: Boundary): CallSpan | undefined {
  const open = owners.filter((span) => span.opened <= begin.row && span.row >= end.row)
  return open.findLast((span) => !span.whole) ?? open.at(-1)
}

function add(
  stretches: Map<string, CallSpan>,
  owner: CallSpan,
  begin: Boundary,
  end: Boundary,
  change: SnapshotChange,
): void {
  const key = `${owner.row} ${begin.row} ${end.row}`
  const known = stretches.get(key)
  if (known !== undefined) {
    known.changes.push(change)
    return
  }
  stretches.set(key, {
    ...owner,
    opened: begin.row,
    row: end.row,
    before: begin.snapshot,
    after: end.snapshot,
    from: begin.at,
    until: end.at,
    changes: [change],
  })
}

/**
 * The time of one tool call, between the snapshots before and after it. The call made the differences; all other
 * changes are the person's.
 */
export interface CallSpan {
  /** The rows of the snapshot records before and after. */
  opened: Row
  row: Row
  /** The entry with the tool call. */
  entry: Row
  call: string | undefined
  before: string
  after: string
  from: string
  until: string
  /** All files were examined, not only named ones. */
  whole: boolean
  changes: SnapshotChange[]
  /** No snapshot shows it, so `before` and `after` are empty: this is what the agent's own file tells. */
  said?: readonly SaidFile[]
}

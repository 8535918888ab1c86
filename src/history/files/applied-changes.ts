// Which of the agent's changes the files contain, at any moment of the log. Files need not be where the head is: each
// span adds its changes, and each operation that moved files removes some and brings others back. Only what happened
// after a moment matters: what came before it is the same then and now.
import { type FilesMove, isEntryKind, KIND, type SnapshotChange } from "../../model/record/record.ts"
import { type History, NONE, type Row } from "../tree/tree.ts"
import { type CallSpan, callSpans } from "./call-spans.ts"
import { type FilesOperation, filesOperation, filesReversed } from "./files-operations.ts"
import type { SaidCall, SaidChange, SaidFile } from "./said-calls.ts"

/** A moment that files can be restored to: when an entry was the last one, or right before a record. */
export type Moment = { entry: Row } | { before: Row }

/** Spans to take back, newest first, then spans to bring back, oldest first; each with only the changes concerned. */
export interface SpansToRestore {
  takeBack: CallSpan[]
  bringAgain: CallSpan[]
}

/** Calls since a row of which the agent's own files tell what they changed. */
export type SaidSince = (since: Row) => readonly SaidCall[]

/**
 * What brings all files, or only some paths, to their state at a moment. Computed from the log, and from what the agent's own
 * files tell. Contract: costs the log since that moment, and since the moments that later moves of files went to.
 */
export function spansToRestore(
  history: History,
  moment: Moment,
  { paths, said }: { paths?: readonly string[] | undefined; said?: SaidSince | undefined } = {},
): SpansToRestore {
  const row = momentRow(history, moment)
  const { takeBack, bringAgain } = differences(timelineSince(history, row, said), row, paths)
  return { takeBack: spansOf(takeBack), bringAgain: spansOf(bringAgain) }
}

/** The spans since a row whose changes are in the files now, each with only those changes, oldest first. */
export function appliedSpans(history: History, since: Row = 0): CallSpan[] {
  return spansOf(timelineSince(history, since).since(since).added)
}

function differences(
  timeline: ChangeTimeline,
  moment: Row,
  paths: readonly string[] | undefined,
): { takeBack: PathChange[]; bringAgain: PathChange[] } {
  const { added, removed } = timeline.since(moment)
  const isAsked = among(paths)
  const asked = (changes: readonly PathChange[]) => changes.filter(({ path }) => isAsked(path))
  return { takeBack: asked(added).reverse(), bringAgain: asked(removed) }
}

function timelineSince(history: History, moment: Row, said?: SaidSince): ChangeTimeline {
  const { first, moves } = movesSince(history, moment)
  const shown = callSpans(history, first === 0 ? NONE : first - 1)
  const told = said === undefined ? [] : saidSpans(said(first), shown)
  const all = told.length === 0 ? shown : [...shown, ...told].sort((a, b) => a.opened - b.opened || a.row - b.row)
  const added = changesOf(all).map((changes, i): { row: Row; added: PathChange[] } => {
    return { row: (all[i] as CallSpan).row, added: changes }
  })
  const timeline = new ChangeTimeline()
  const made = new Map<Row, ChangesMade>()
  for (const next of [...moves, ...added].sort((a, b) => a.row - b.row)) {
    const changes = "record" in next ? changesByMove(history, timeline, made, next) : { added: next.added, removed: [] }
    timeline.add(next.row, changes)
    if ("record" in next) made.set(next.row, changes)
  }
  return timeline
}

/**
 * The moves of files since a moment, oldest first, including those that are needed to understand them: what a move did
 * is the difference between the moment it went to and the moment it was made. `first`: the first row needed for all
 * that.
 */
function movesSince(history: History, moment: Row): { first: Row; moves: FilesOperation[] } {
  const moves: FilesOperation[] = []
  let first = moment
  for (let row = history.size - 1; row >= first && row >= 0; row--) {
    const move = filesOperation(history, row)
    if (move === undefined) continue
    moves.push(move)
    first = Math.min(first, reversed(history, move) ?? momentRow(history, targetOf(history, move)))
  }
  return { first, moves: moves.reverse() }
}

/** What an operation did to the files. An undo reverses what it undoes; all others go to a moment. */
function changesByMove(
  history: History,
  timeline: ChangeTimeline,
  made: ReadonlyMap<Row, ChangesMade>,
  move: FilesOperation,
): ChangesMade {
  const { files } = move.record
  const undone = made.get(reversed(history, move) ?? NONE)
  if (undone !== undefined) {
    const kept = new Set(files.kept?.map(({ path }) => path))
    const free = (changes: readonly PathChange[]) => changes.filter(({ path }) => !kept.has(path))
    return { added: free(undone.removed), removed: free(undone.added) }
  }
  const moment = momentRow(history, targetOf(history, move))
  const { takeBack, bringAgain } = differences(timeline, moment, files.paths)
  const steps = [...inSteps(takeBack), ...inSteps(bringAgain)]
  const done = new Set(steps.flatMap((step, i) => step.filter(({ path }) => !isKept(files, path, i))))
  return {
    added: bringAgain.filter((change) => done.has(change)),
    removed: takeBack.filter((change) => done.has(change)),
  }
}

/** The row of the move of files that an undo or redo reversed; undefined if it went to a moment. */
function reversed(history: History, move: FilesOperation): Row | undefined {
  return momentOf(history, move.record.files) === undefined ? filesReversed(history, move)?.row : undefined
}

function targetOf(history: History, { record }: FilesOperation): Moment {
  const { files, head } = record
  return momentOf(history, files) ?? { entry: head.to === null ? NONE : history.rowOf(head.to) }
}

function isKept(files: FilesMove, path: string, step: number): boolean {
  return files.kept?.some((kept) => kept.path === path && kept.steps.includes(step)) === true
}

function momentOf(history: History, files: FilesMove): Moment | undefined {
  if (files.before !== undefined) return { before: history.rowOf(files.before) }
  if (files.entry === undefined) return undefined
  return { entry: files.entry === null ? NONE : history.rowOf(files.entry) }
}

/** The row before which the files were in the state of this moment. */
export function momentRow(history: History, moment: Moment): Row {
  return "before" in moment ? moment.before : lastMoment(history, moment.entry)
}

/** Up to which row an entry was the last one: what a background call changed until then is included. */
function lastMoment(history: History, entry: Row): Row {
  if (entry === NONE) return 0
  for (let row = entry + 1; row < history.size; row++) {
    const kind = history.kind(row)
    if (isEntryKind(kind) || kind === KIND.operation) return row
  }
  return history.size
}

/**
 * The moment with the files as they were at an entry: with what moved together with it, if it was written with an operation, as one
 * that tells the model about changed files is.
 */
export function momentAt(history: History, entry: Row): Moment {
  const own = entry + 1
  const isOwn = entry !== NONE && own < history.size && history.kind(own) === KIND.operation
  if (!isOwn || history.headAfter(own) !== entry || history.parent(own) === entry) return { entry }
  return { before: nextRecord(history, own) }
}

/** The moment right after a row; undefined after the last record, because only what is recorded next can name it. */
export function momentAfter(history: History, row: Row): Moment | undefined {
  const next = nextRecord(history, row)
  return next < history.size ? { before: next } : undefined
}

function nextRecord(history: History, row: Row): Row {
  let next = row + 1
  while (next < history.size && [KIND.blank, KIND.damaged].includes(history.kind(next) as never)) next++
  return next
}

/** A path matches its own name, or that of a folder above it. */
export function among(paths: readonly string[] | undefined): (path: string) => boolean {
  if (paths === undefined) return () => true
  return (path) => paths.some((name) => path === name || path.startsWith(`${name}/`))
}

/**
 * Calls of which only the agent's own files tell what they changed, as spans beside those that snapshots show. Leaves
 * out calls that snapshots show, and files that are not in the session's folder.
 */
export function saidSpans(calls: readonly SaidCall[], shown: readonly CallSpan[]): CallSpan[] {
  const covered = new Set(shown.map(({ call }) => call))
  const wholes = shown.filter(({ whole }) => whole)
  return calls.flatMap(({ call, row, at, files }) => {
    const said = files.filter(({ path }) => !path.startsWith("/"))
    if (said.length === 0 || covered.has(call)) return []
    if (wholes.some(({ from, until }) => from <= at && at <= until)) return []
    const span = { opened: row, row, entry: row, call, before: "", after: "", from: at, until: at, whole: false }
    return [{ ...span, changes: said.map(changeOf), said }]
  })
}

function changeOf({ path, change }: SaidFile): SnapshotChange {
  return { path, change: kindOf(change) }
}

function kindOf(change: SaidChange | undefined): string {
  if (change === undefined || !("before" in change)) return "modified"
  return change.before === null ? "added" : change.after === null ? "deleted" : "modified"
}

/** One change of one path. */
interface PathChange {
  span: CallSpan
  path: string
  /** The rank of its span among those with the same rows, and the rank of the path in its span. */
  order: readonly [number, number]
}

interface ChangesMade {
  added: readonly PathChange[]
  removed: readonly PathChange[]
}

/**
 * Changes of files over time: a span adds each of them; moves of files remove them and bring them back. Changes from
 * some row on, in log order. Contract: every change in it was first added after that row.
 */
class ChangeTimeline {
  #touched: { row: Row; change: PathChange }[] = []
  #byKey = new Map<string, { row: Row; there: boolean }[]>()

  add(row: Row, { added, removed }: ChangesMade): void {
    for (const change of removed) this.#touch(row, change, false)
    for (const change of added) this.#touch(row, change, true)
  }

  /** What is there now but was not at a moment, and vice versa, both oldest first. */
  since(moment: Row): ChangesMade {
    const added: PathChange[] = []
    const removed: PathChange[] = []
    const seen = new Set<string>()
    for (let i = this.#touched.length - 1; i >= 0; i--) {
      const { row, change } = this.#touched[i] as { row: Row; change: PathChange }
      if (row < moment) break
      const key = keyOf(change)
      if (seen.has(key)) continue
      seen.add(key)
      const known = this.#byKey.get(key) ?? []
      const now = known.at(-1)?.there === true
      const then = known.findLast((each) => each.row < moment)?.there === true
      if (now !== then) (now ? added : removed).push(change)
    }
    return { added: added.sort(byTime), removed: removed.sort(byTime) }
  }

  #touch(row: Row, change: PathChange, there: boolean): void {
    const key = keyOf(change)
    const known = this.#byKey.get(key)
    if (known === undefined) this.#byKey.set(key, [{ row, there }])
    else known.push({ row, there })
    this.#touched.push({ row, change })
  }
}

function keyOf({ span, path, order }: PathChange): string {
  return `${span.opened} ${span.row} ${order[0]} ${path}`
}

function byTime(a: PathChange, b: PathChange): number {
  return a.span.opened - b.span.opened || a.span.row - b.span.row || a.order[0] - b.order[0] || a.order[1] - b.order[1]
}

/** The changes of each span, in order. Contract: `all` is oldest first, as `callSpans` returns it. */
function changesOf(all: readonly CallSpan[]): PathChange[][] {
  let rank = 0
  return all.map((span, i) => {
    const before = all[i - 1]
    rank = before?.opened === span.opened && before.row === span.row ? rank + 1 : 0
    return span.changes.map(({ path }, place) => ({ span, path, order: [rank, place] }))
  })
}

/** Changes in order, split where the span changes: each run is one step of a restore. */
function inSteps(changes: readonly PathChange[]): PathChange[][] {
  const steps: PathChange[][] = []
  let last: CallSpan | undefined
  for (const change of changes) {
    if (change.span === last) steps.at(-1)?.push(change)
    else steps.push([change])
    last = change.span
  }
  return steps
}

/** The spans of these changes, in order, each with only those changes. */
function spansOf(changes: readonly PathChange[]): CallSpan[] {
  return inSteps(changes).map((step) => {
    const { span } = step[0] as PathChange
    const paths = new Set(step.map(({ path }) => path))
    const said = span.said?.filter(({ path }) => paths.has(path))
    return { ...span, changes: span.changes.filter(({ path }) => paths.has(path)), ...(said && { said }) }
  })
}

// The files of a log by replaying all of it: what history/files/applied-changes.ts must agree with, whatever it leaves unread.
import type { Moment, SpansToRestore } from "../../src/history/files/applied-changes.ts"
import { apart, type CallSpan } from "../../src/history/files/call-spans.ts"
import type { FilesOperation } from "../../src/history/files/files-operations.ts"
import { type History, NONE, type Row } from "../../src/history/tree/tree.ts"
import { type FilesMove, isEntryKind, KIND, type SnapshotRecord } from "../../src/model/record/record.ts"

/** One change of one path, named by its number in order of time. */
type Change = { span: CallSpan; path: string }
type Event = { row: Row; added: readonly number[]; removed: readonly number[] }

/** What brings the files to where they were at a moment, or only some paths. Worked out from the log alone. */
export function naivePlan(history: History, moment: Moment, paths?: readonly string[]): SpansToRestore {
  const { changes, events } = replay(history)
  const { takeBack, bringAgain } = between(
    changes,
    stateAt(events, history.size),
    stateOf(history, events, moment),
    paths,
  )
  return { takeBack: spansOf(changes, takeBack), bringAgain: spansOf(changes, bringAgain) }
}

/** The spans whose changes are in the files now, with those changes only, oldest first. */
export function naiveSpans(history: History): CallSpan[] {
  const { changes, events } = replay(history)
  return spansOf(
    changes,
    [...stateAt(events, history.size)].sort((a, b) => a - b),
  )
}

function replay(history: History): { changes: Change[]; events: Event[] } {
  const moves = filesOperations(history)
  const all = callSpans(history, moves)
  const changes: Change[] = []
  const pending: (Event | FilesOperation)[] = [...moves]
  for (const span of all) {
    const first = changes.length
    for (const { path } of span.changes) changes.push({ span, path })
    pending.push({ row: span.row, added: range(first, changes.length), removed: [] })
  }
  const events: Event[] = []
  const turns = new Turns(history)
  for (const next of pending.sort((a, b) => a.row - b.row)) {
    const event = "record" in next ? moveEvent(history, changes, events, turns, next) : next
    events.push(event)
    if ("record" in next) turns.add(next, event)
  }
  return { changes, events }
}

/** What was done to the files when units were done and undone: the last of each is what an undo or redo turns round. */
class Turns {
  readonly #history: History
  readonly #done = new Map<string, Event>()
  readonly #undone = new Map<string, Event>()

  constructor(history: History) {
    this.#history = history
  }

  add({ record }: FilesOperation, event: Event): void {
    const { id, undoes } = record
    this.#done.set(id, event)
    if (undoes === undefined) return
    if (record.kind === "redo") this.#done.set(this.#undoneBy(undoes), event)
    else this.#undone.set(undoes, event)
  }

  about({ record }: FilesOperation): Event | undefined {
    const { undoes } = record
    if (undoes === undefined) return undefined
    return record.kind === "redo" ? this.#undone.get(this.#undoneBy(undoes)) : this.#done.get(undoes)
  }

  #undoneBy(undo: string): string {
    const record = this.#history.record(this.#history.rowOf(undo))
    return record?.type === "operation" ? (record.undoes ?? "") : ""
  }
}

/** What an operation did to the files. An undo turns round what it undoes; all others brought them to a moment. */
function moveEvent(
  history: History,
  changes: readonly Change[],
  events: readonly Event[],
  turns: Turns,
  move: FilesOperation,
): Event {
  const { row, record } = move
  const { files } = record
  const moment = momentOf(history, files)
  const undone = moment === undefined ? turns.about(move) : undefined
  if (undone !== undefined) {
    const kept = new Set(files.kept?.map(({ path }) => path))
    const free = (numbers: readonly number[]) => numbers.filter((n) => !kept.has(changes[n]?.path ?? ""))
    return { row, added: free(undone.removed), removed: free(undone.added) }
  }
  const target = moment ?? { entry: record.head.to === null ? NONE : history.rowOf(record.head.to) }
  const plan = between(changes, stateAt(events, row), stateOf(history, events, target), files.paths)
  const steps = [...inSteps(changes, plan.takeBack), ...inSteps(changes, plan.bringAgain)]
  const done = new Set(steps.flatMap((step, i) => step.filter((n) => !isKept(files, changes[n]?.path, i))))
  return {
    row,
    added: plan.bringAgain.filter((n) => done.has(n)),
    removed: plan.takeBack.filter((n) => done.has(n)),
  }
}

function isKept(files: FilesMove, path: string | undefined, step: number): boolean {
  return files.kept?.some((kept) => kept.path === path && kept.steps.includes(step)) === true
}

function momentOf(history: History, files: FilesMove): Moment | undefined {
  if (files.before !== undefined) return { before: history.rowOf(files.before) }
  if (files.entry === undefined) return undefined
  return { entry: files.entry === null ? NONE : history.rowOf(files.entry) }
}

function stateOf(history: History, events: readonly Event[], moment: Moment): Set<number> {
  return stateAt(events, "before" in moment ? moment.before : lastMoment(history, moment.entry))
}

/** Up to where in the log an entry was the last one: what a call in the background changed until then is included. */
function lastMoment(history: History, entry: Row): Row {
  if (entry === NONE) return 0
  for (let row = entry + 1; row < history.size; row++) {
    const kind = history.kind(row)
    if (isEntryKind(kind) || kind === KIND.operation) return row
  }
  return history.size
}

function stateAt(events: readonly Event[], end: Row): Set<number> {
  const state = new Set<number>()
  for (const { row, added, removed } of events) {
    if (row >= end) break
    for (const n of removed) state.delete(n)
    for (const n of added) state.add(n)
  }
  return state
}

function between(
  changes: readonly Change[],
  now: ReadonlySet<number>,
  wanted: ReadonlySet<number>,
  paths: readonly string[] | undefined,
): { takeBack: number[]; bringAgain: number[] } {
  const isAsked = among(paths)
  const only = (some: ReadonlySet<number>, not: ReadonlySet<number>) =>
    [...some].filter((n) => !not.has(n) && isAsked(changes[n]?.path ?? "")).sort((a, b) => a - b)
  return { takeBack: only(now, wanted).reverse(), bringAgain: only(wanted, now) }
}

/** A path is meant by its own name, or by that of a folder above it. */
function among(paths: readonly string[] | undefined): (path: string) => boolean {
  if (paths === undefined) return () => true
  return (path) => paths.some((name) => path === name || path.startsWith(`${name}/`))
}

/** Numbers in order, cut where the span changes: each run is one step of a restore. */
function inSteps(changes: readonly Change[], numbers: readonly number[]): number[][] {
  const steps: number[][] = []
  let last: CallSpan | undefined
  for (const n of numbers) {
    const { span } = changes[n] as Change
    if (span === last) steps.at(-1)?.push(n)
    else steps.push([n])
    last = span
  }
  return steps
}

function spansOf(changes: readonly Change[], numbers: readonly number[]): CallSpan[] {
  return inSteps(changes, numbers).map((step) => {
    const { span } = changes[step[0] as number] as Change
    const paths = new Set(step.map((n) => changes[n]?.path))
    return { ...span, changes: span.changes.filter(({ path }) => paths.has(path)) }
  })
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}

function callSpans(history: History, moves: readonly FilesOperation[]): CallSpan[] {
  const rows: Row[] = []
  for (let row = history.last(KIND.snapshot); row !== NONE; row = history.link(row)) rows.push(row)
  const opened = new Map<string, Row>()
  const found: CallSpan[] = []
  for (const row of rows.reverse()) {
    const record = history.record(row)
    if (record?.type !== "snapshot") continue
    const key = `${record.entry} ${record.call}`
    if (record.when === "before") opened.set(key, row)
    else found.push(...spanOf(history, row, record, opened.get(key) ?? row))
  }
  return apart(found.filter((span) => !moves.some(({ row }) => row > span.opened && row < span.row)))
}

function spanOf(history: History, row: Row, record: SnapshotRecord, opened: Row): CallSpan[] {
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

function filesOperations(history: History): FilesOperation[] {
  const found: FilesOperation[] = []
  for (let row = 0; row < history.size; row++) {
    const record = history.record(row)
    if (record?.type === "operation" && record.files !== undefined) {
      found.push({ row, record: { ...record, files: record.files } })
    }
  }
  return found
}

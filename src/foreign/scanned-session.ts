// The rows of another agent's session: scanned once, extended as its files grow, created again when they are not what they were.
import type { AppendedMove, LineHookNames, Opened, Scanner, Source } from "../formats/port.ts"
import type { Rows, StoredRows } from "../history/rows/rows.ts"
import { NONE, type Row } from "../history/tree/tree.ts"
import type { Json } from "../model/json.ts"
import { isEntryKind } from "../model/record/kind.ts"
import type { LogRecord, OperationRecord } from "../model/record/record.ts"
import { ForeignHistory } from "./foreign-history.ts"
import type { Hooked, HookQueue } from "./hook-queue.ts"
import { type OurRecords, type Own, RowSink } from "./row-sink.ts"
import { type Covered, SourceFile } from "./source-file.ts"
import { offsetIn, sourceIn } from "./span-offset.ts"

/** What an index knows: rows, and what the scanner needs to continue behind them. */
export interface KnownRows {
  rows: StoredRows
  covered: readonly Covered[]
  state: Json
  /** How many records of ours are among the rows. */
  ours: number
}

export interface Ours extends OurRecords {
  readonly hooks: HookQueue
  record(number: number): LogRecord | undefined
  /** Those that stand before the first row. */
  takeFirst(): readonly Own[]
  /** Those whose row is not there. They stand at the end. */
  takeRest(): readonly Own[]
  /** Rows already hold the first `count` of it. False: some of the rest belongs between those rows. */
  skip(count: number, rows: Rows): boolean
  /** All of it is to come again, because the rows are created again. */
  rewind(): void
}

/** How many rows a snapshot of a hook can be behind the line that it is about. */
const LATE_ROWS = 256

export class ScannedSession {
  readonly history: ForeignHistory
  readonly sink: RowSink
  /** Raised when all rows were created again. */
  generation = 0
  readonly #opened: Opened
  readonly #ours: Ours
  #files: SourceFile[] = []
  #scanner: Scanner

  constructor(opened: Opened, ours: Ours) {
    this.#opened = opened
    this.#ours = ours
    this.history = new ForeignHistory(opened, {
      read: (source, offset, length) => this.#file(source)?.read(offset, length) ?? Buffer.alloc(0),
      ours: (number) => ours.record(number),
      operation: (id) => ours.operation(id),
    })
    this.sink = new RowSink(this.history, ours)
    this.#scanner = opened.scanner(this.sink, undefined)
    this.history.scanner = this.#scanner
  }

  /** Scans what no index knows. Answers whether the index was used. */
  load(known?: KnownRows): boolean {
    this.#files = openAll(this.#opened.sources())
    if (known !== undefined && this.#resume(known)) {
      this.#scan()
      return true
    }
    this.#scanAll()
    return false
  }

  /** Takes in what was appended. Answers how many rows came, or how many there are when all were created again. */
  refresh(): number {
    const before = this.history.size
    const sources = this.#opened.sources()
    if (!this.#sameFiles(sources)) {
      this.#createAgain(sources)
      return this.history.size
    }
    this.#files.push(...openAll(sources.slice(this.#files.length)))
    this.#scan()
    return this.history.size - before
  }

  /** What an index is to remember besides the rows. */
  extent(): { covered: Covered[]; state: Json } {
    return { covered: this.#files.map((file) => file.extent()), state: this.#scanner.state() }
  }

  /** Bytes at the end of the file that grows, which are no whole line. */
  get torn(): number {
    return this.#files.at(-1)?.torn ?? 0
  }

  /** Whether this agent follows anything that is appended. */
  get followsMoves(): boolean {
    return this.#scanner.move !== undefined
  }

  /** What to append so that the agent continues from an entry. Undefined: this agent follows nothing that is appended. */
  move(to: Row, operation: OperationRecord): AppendedMove | undefined {
    const { history } = this
    return this.#scanner.move?.({
      history,
      read: (row) => history.body(row),
      original: (row) => history.line(row),
      to,
      operation,
      torn: this.torn > 0,
    })
  }

  /** A source's path, and how long it was when it was last scanned. */
  scannedFile(number: number): { file: string; size: number } | undefined {
    const found = this.#file(number)
    return found === undefined ? undefined : { file: found.source.file, size: found.seen }
  }

  /** The number of the line, from 1, in which this byte of a file stands. Costs reading the file up to there. */
  lineAt(source: number, offset: number): number {
    return this.#file(source)?.lineAt(offset) ?? 0
  }

  /** The rows that begin in one of these parts of a file, in order. Contract: the parts ascend. */
  rowsAt(file: string, parts: readonly { from: number; to: number }[]): Row[] {
    const number = this.#files.find(({ source }) => source.file === file)?.source.number
    const found: Row[] = []
    if (number === undefined || parts.length === 0) return found
    for (let row = 0; row < this.history.size; row++) {
      const offset = this.history.offset(row)
      if (sourceIn(offset) === number && holds(parts, offsetIn(offset))) found.push(row)
    }
    return found
  }

  close(): void {
    for (const file of this.#files) file.close()
  }

  #file(number: number): SourceFile | undefined {
    return this.#files.find(({ source }) => source.number === number)
  }

  #resume({ rows, covered, state, ours }: KnownRows): boolean {
    for (const each of covered) if (this.#file(each.number)?.resume(each) !== true) return false
    this.history.reset(rows)
    if (!this.#ours.skip(ours, this.history)) return false
    this.#begin(state)
    return true
  }

  #begin(state: Json | undefined): void {
    this.#scanner = this.#opened.scanner(this.sink, state)
    this.history.scanner = this.#scanner
  }

  /** Whether rows need only be added. Only the last file may have grown: rows of another would come too late. */
  #sameFiles(sources: readonly Source[]): boolean {
    const last = this.#files.length - 1
    return this.#files.every((file, i) => {
      const now = sources[i]
      if (now?.number !== file.source.number || now.file !== file.source.file) return false
      return file.isSame() && (i === last || !file.grew)
    })
  }

  #createAgain(sources: readonly Source[]): void {
    this.close()
    this.#files = openAll(sources)
    this.generation++
    this.#scanAll()
  }

  #scanAll(): void {
    for (const file of this.#files) file.forget()
    this.#ours.rewind()
    this.history.reset()
    this.#begin(undefined)
    this.addOwn(this.#ours.takeFirst())
    this.#scan()
  }

  /** Rows for records of ours, at the end. */
  addOwn(own: readonly Own[]): void {
    for (const { record, number } of own) this.sink.own(record, number)
  }

  /** What hooks call what is on a line that comes, while snapshots of theirs wait. Those that it passes are added. */
  #namesIn(bytes: Buffer, start: number, end: number): LineHookNames | undefined {
    const { hooks } = this.#ours
    if (hooks.size === 0) return undefined
    const names = this.#opened.hookNames?.(bytes.subarray(start, end), hooks.isWanted)
    if (names !== undefined) for (const passed of hooks.passedBy(names)) this.#addPassed(passed)
    return names
  }

  #meet(names: LineHookNames, before: number): void {
    const { history } = this
    for (let row = before; row < history.size; row++) {
      if (!isEntryKind(history.kind(row))) continue
      this.#ours.hooks.meet(names, row, history.isPrompt(row))
      break
    }
    for (const { record, number, entry } of this.#ours.hooks.takeMet()) this.sink.hooked(record, number, entry)
  }

  /**
   * Snapshots of hooks that no line has answered. `late`: some may be about entries that were there before them. Answers
   * whether the next reader may put them elsewhere.
   */
  settleHooks(late: boolean): boolean {
    const { hooks } = this.#ours
    if (hooks.size === 0) return false
    if (late) this.#lookBack()
    for (const { entry, ...hooked } of hooks.takeRest()) {
      if (entry === NONE) this.#addPassed(hooked)
      else this.sink.hooked(hooked.record, hooked.number, entry)
    }
    return true
  }

  /** As far as hooks can be behind. */
  #lookBack(): void {
    const { history } = this
    const { hooks } = this.#ours
    for (let row = history.size - 1; row >= Math.max(0, history.size - LATE_ROWS); row--) {
      if (!isEntryKind(history.kind(row))) continue
      const names = this.#opened.hookNames?.(history.line(row), hooks.isWanted)
      if (names !== undefined) hooks.meet(names, row, history.isPrompt(row))
    }
  }

  /** Its entry is not in this session, as that of a sub-agent's call: it belongs to the round. */
  #addPassed(hooked: Hooked): void {
    const { history } = this
    const head = history.size === 0 ? NONE : history.headAfter(history.size - 1)
    const prompt = head === NONE ? NONE : history.prompt(head)
    if (prompt === NONE) return
    this.#ours.hooks.settle(hooked, prompt)
    this.sink.hooked(hooked.record, hooked.number, prompt)
  }

  #scan(): void {
    for (const file of this.#files) {
      const { number } = file.source
      file.scan({
        line: (bytes, start, end, offset) => {
          const names = this.#namesIn(bytes, start, end)
          const before = this.history.size
          this.#scanner.line(bytes, start, end, { source: number, offset, length: end - start })
          if (names !== undefined) this.#meet(names, before)
        },
        tooLong: (offset, length) =>
          this.sink.damaged({ source: number, offset, length: Math.min(length, 0xffff_ffff) }),
      })
    }
  }
}

/** Whether one of the parts holds this byte. */
function holds(parts: readonly { from: number; to: number }[], offset: number): boolean {
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((parts[middle]?.to ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  const part = parts[low]
  return part !== undefined && part.from <= offset
}

function openAll(sources: readonly Source[]): SourceFile[] {
  return sources.map((source) => {
    const file = new SourceFile(source)
    file.open()
    return file
  })
}

// The rows of another agent's session: scanned once, extended as its files grow, rebuilt if the files were rewritten.
import type { AppendedMove, LineHookNames, Opened, Scanner, Source } from "../../formats/port.ts"
import type { Rows, StoredRows } from "../../history/rows/rows.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { Json } from "../../model/json.ts"
import { isEntryKind, KIND, type LogRecord, type OperationRecord } from "../../model/record/record.ts"
import { type Covered, SourceFile } from "../disk/source-file.ts"
import { ForeignHistory } from "./foreign-history.ts"
import type { Hooked, HookQueue, PlacedHook } from "./hook-queue.ts"
import { type OurRecord, type OurRecords, RowSink } from "./row-sink.ts"
import { offsetIn, sourceIn } from "./span-offset.ts"

/** What an index provides: rows, and the state that the scanner needs to continue after them. */
export interface KnownRows {
  rows: StoredRows
  covered: readonly Covered[]
  state: Json
  /** How many of our records are included. */
  ours: number
}

export interface Ours extends OurRecords {
  readonly hooks: HookQueue
  record(number: number): LogRecord | undefined
  /** Records that come before the first row. */
  takeFirst(): readonly OurRecord[]
  /** Records whose row is there already. */
  takeReached(rows: Rows): readonly OurRecord[]
  /** Records whose row is missing. They go at the end. */
  takeRest(): readonly OurRecord[]
  /** The rows already include the first `count` records. False if some of the others belong between those rows. */
  skip(count: number, rows: Rows): boolean
  /** Starts over, because all rows are being rebuilt. */
  rewind(): void
}

/** How many rows a hook's snapshot can lag behind the line it belongs to. */
const LATE_ROWS = 256

export class ScannedSession {
  readonly history: ForeignHistory
  readonly sink: RowSink
  /** Incremented whenever all rows were rebuilt. */
  generation = 0
  /** Reading failed on the way: the rows are not those of the files. */
  #brokenOff = false
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

  /** Scans whatever the index does not cover. Returns whether the index was used. */
  load(known?: KnownRows): boolean {
    this.#files = openAll(this.#opened.sources())
    if (known !== undefined && this.#resume(known)) {
      this.#scan()
      return true
    }
    this.#scanAll()
    return false
  }

  /**
   * Reads what was appended. Returns how many rows were added, or how many there are if all were rebuilt. Throws the system's error
   * if it cannot look; the rows are then those from before, or are all made anew by the next call.
   */
  refresh(): number {
    const before = this.history.size
    const sources = this.#opened.sources()
    if (this.#brokenOff || !this.#sameFiles(sources)) {
      this.createAgain(sources)
      return this.history.size
    }
    this.#brokenOff = true
    this.#files.push(...openAll(sources.slice(this.#files.length)))
    this.#scan()
    this.#brokenOff = false
    return this.history.size - before
  }

  /** What an index should remember besides the rows. */
  extent(): { covered: Covered[]; state: Json } {
    return { covered: this.#files.map((file) => file.extent()), state: this.#scanner.state() }
  }

  /** Bytes at the end of the growing file that are not a complete line. */
  get torn(): number {
    return this.#files.at(-1)?.torn ?? 0
  }

  /** Whether appending lines can move this agent's head. */
  get followsMoves(): boolean {
    return this.#scanner.move !== undefined
  }

  /** The lines to append so that the agent continues from an entry. Undefined if no appended line can move this agent's head. */
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

  /** A source's path, and its length when it was last scanned. */
  scannedFile(number: number): { file: string; size: number } | undefined {
    const found = this.#file(number)
    return found === undefined ? undefined : { file: found.source.file, size: found.seen }
  }

  /** The number, from 1, of the line that contains this byte of a file. Reads the file up to there. */
  lineAt(source: number, offset: number): number {
    return this.#file(source)?.lineAt(offset) ?? 0
  }

  /** The rows that begin in one of these ranges of a file, in order. Contract: the ranges ascend. */
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
    this.addOwn(this.#ours.takeReached(this.history))
    return true
  }

  #begin(state: Json | undefined): void {
    this.#scanner = this.#opened.scanner(this.sink, state)
    this.history.scanner = this.#scanner
  }

  /** Whether it is enough to add rows. Only the last file may have grown: rows from another would be out of order. */
  #sameFiles(sources: readonly Source[]): boolean {
    const last = this.#files.length - 1
    return this.#files.every((file, i) => {
      const now = sources[i]
      if (now?.number !== file.source.number || now.file !== file.source.file) return false
      return file.isSame() && (i === last || !file.grew)
    })
  }

  /** Builds all rows from the files, with our records in their places. */
  createAgain(sources = this.#opened.sources()): void {
    const files = openAll(sources)
    this.close()
    this.#brokenOff = true
    this.#files = files
    this.generation++
    this.#scanAll()
    this.#brokenOff = false
  }

  #scanAll(): void {
    for (const file of this.#files) file.forget()
    this.#ours.rewind()
    this.history.reset()
    this.#begin(undefined)
    this.addOwn(this.#ours.takeFirst())
    this.#scan()
  }

  /** Appends rows for our records. */
  addOwn(own: readonly OurRecord[]): void {
    for (const { record, number } of own) this.sink.own(record, number)
  }

  /** The names that hooks would use for what is on this line, if any snapshot waits. Adds the snapshots that belong before it. */
  #namesIn(bytes: Buffer, start: number, end: number): LineHookNames | undefined {
    const { hooks } = this.#ours
    if (hooks.size === 0) return undefined
    const names = this.#opened.hookNames?.(bytes.subarray(start, end), hooks)
    if (names !== undefined) for (const passed of hooks.passedBy(names)) this.#addPlaced(passed)
    return names
  }

  #meet(names: LineHookNames, before: number): void {
    const { history } = this
    for (let row = before; row < history.size; row++) {
      const entry = history.kind(row) === KIND.amendment ? history.unit(row) : row
      if (!isEntryKind(history.kind(entry))) continue
      this.#ours.hooks.meet(names, entry, history.isPrompt(entry))
      break
    }
    for (const { record, number, entry } of this.#ours.hooks.takeMet()) this.sink.hooked(record, number, entry)
  }

  /**
   * Places the hooks' snapshots that no line has claimed. `late`: some may belong to entries that were there before them. Returns
   * whether the next open may place them elsewhere.
   */
  settleHooks(late: boolean): boolean {
    const { hooks } = this.#ours
    if (hooks.size === 0) return false
    if (late) this.#lookBack()
    for (const placed of hooks.takeRest()) this.#addPlaced(placed)
    return true
  }

  /** Looks for the entries of waiting snapshots among the last LATE_ROWS rows. */
  #lookBack(): void {
    const { history } = this
    const { hooks } = this.#ours
    for (let row = history.size - 1; row >= Math.max(0, history.size - LATE_ROWS); row--) {
      if (!isEntryKind(history.kind(row))) continue
      for (const bytes of [history.line(row), history.body(row)]) {
        const names = this.#opened.hookNames?.(bytes, hooks)
        if (names !== undefined) hooks.meet(names, row, history.isPrompt(row))
      }
    }
  }

  #addPlaced({ entry, ...hooked }: PlacedHook): void {
    if (entry === NONE) this.#addPassed(hooked)
    else this.sink.hooked(hooked.record, hooked.number, entry)
  }

  /** Its entry is not in this session (a sub-agent's call, for example), so it belongs to the round. */
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

/** Whether one of the ranges contains this byte. */
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
  const files = sources.map((source) => new SourceFile(source))
  try {
    for (const file of files) file.open()
  } catch (error) {
    for (const file of files) file.close()
    throw error
  }
  return files
}

// The rows of another agent's session: scanned once, extended as its files grow, created again when they are not what they were.
import type { Opened, Scanner, Source } from "../formats/port.ts"
import type { StoredRows } from "../history/rows/rows.ts"
import type { Row } from "../history/tree/tree.ts"
import type { Json } from "../model/json.ts"
import type { LogRecord } from "../model/record/record.ts"
import { ForeignHistory } from "./foreign-history.ts"
import { type OurRecords, RowSink } from "./row-sink.ts"
import { type Covered, SourceFile } from "./source-file.ts"

/** What an index knows: rows, and what the scanner needs to continue behind them. */
export interface KnownRows {
  rows: StoredRows
  covered: readonly Covered[]
  state: Json
}

export interface Ours extends OurRecords {
  record(number: number): LogRecord | undefined
  /** All of it is to come again: the rows are created again. */
  rewind(): void
}

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
    })
    this.sink = new RowSink(this.history, ours)
    this.#scanner = opened.scanner(this.sink, undefined)
    this.history.scanner = this.#scanner
  }

  /** Scans what no index knows. Answers whether the index was used. */
  load(known?: KnownRows): boolean {
    this.#files = openAll(this.#opened.sources())
    const used = known !== undefined && this.#resume(known)
    if (!used) for (const file of this.#files) file.forget()
    this.#scan()
    return used
  }

  /** Takes in what was appended. Answers how many rows came, or how many there are when all were created again. */
  refresh(): number {
    const before = this.history.size
    const sources = this.#opened.sources()
    if (!this.#sameFiles(sources)) {
      this.#createAgain(sources)
      return this.history.size
    }
    this.#addFiles(sources)
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

  file(row: Row, source: number): string | undefined {
    return row < this.history.size ? this.#file(source)?.source.file : undefined
  }

  close(): void {
    for (const file of this.#files) file.close()
  }

  #file(number: number): SourceFile | undefined {
    return this.#files.find(({ source }) => source.number === number)
  }

  #resume({ rows, covered, state }: KnownRows): boolean {
    for (const each of covered) if (this.#file(each.number)?.resume(each) !== true) return false
    this.history.reset(rows)
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

  #addFiles(sources: readonly Source[]): void {
    this.#files.push(...openAll(sources.slice(this.#files.length)))
  }

  #createAgain(sources: readonly Source[]): void {
    this.close()
    this.#files = openAll(sources)
    this.generation++
    this.#ours.rewind()
    this.history.reset()
    this.#begin(undefined)
    this.#scan()
  }

  #scan(): void {
    for (const file of this.#files) {
      const { number } = file.source
      file.scan({
        line: (bytes, start, end, offset) =>
          this.#scanner.line(bytes, start, end, { source: number, offset, length: end - start }),
        tooLong: (offset, length) =>
          this.sink.damaged({ source: number, offset, length: Math.min(length, 0xffff_ffff) }),
      })
    }
  }
}

function openAll(sources: readonly Source[]): SourceFile[] {
  return sources.map((source) => {
    const file = new SourceFile(source)
    file.open()
    return file
  })
}

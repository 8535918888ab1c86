// The tree of a log file, with bodies read when asked for.
import { type Known, Rows } from "../../history/rows.ts"
import { type History, NONE, type Row } from "../../history/tree.ts"
import { LONGEST_LINE } from "../../model/facts.ts"
import { RetconError } from "../../model/failure.ts"
import { idWords } from "../../model/id-words.ts"
import type { Parsed } from "../../model/json.ts"
import { KIND, kindOf } from "../../model/kind.ts"
import { isEntry, type LogRecord } from "../../model/record.ts"
import { parseRecord } from "../../model/record-parse.ts"
import { fill } from "./blobs.ts"
import { blobFolder } from "./layout.ts"
import { LineReader } from "./line-reader.ts"
import { readAt } from "./read.ts"
import { RecordCache } from "./record-cache.ts"

export class LogHistory extends Rows implements History {
  #fd: number | undefined
  readonly #lines = new LineReader()
  readonly #words = new Uint32Array(4)
  /** Rows that an index gave us; all others were made from the log's own bytes. */
  fromIndex = 0
  readonly #file: string
  readonly #blobs: string
  readonly #cache = new RecordCache()
  /** Called when a row and its line disagree: the index is wrong. */
  onMismatch: () => void = () => undefined

  constructor(fd: number, file: string) {
    super()
    this.#fd = fd
    this.#file = file
    this.#blobs = blobFolder(file)
  }

  /** Goes on with another descriptor; undefined once the log is closed. */
  readFrom(fd: number | undefined): void {
    this.#fd = fd
    this.#lines.reset()
  }

  override reset(known?: Known): void {
    super.reset(known)
    this.#lines.reset()
    this.#cache.clear()
  }

  #opened(): number {
    if (this.#fd === undefined)
      throw new RetconError({ code: "io", path: this.#file, problem: "the session is closed" })
    return this.#fd
  }

  record(row: Row): LogRecord | undefined {
    const known = this.#fd === undefined ? undefined : this.#cache.get(row)
    if (known !== undefined) return fill(known, this.#blobs)
    const read = this.#bare(row)
    if (!read.ok) return undefined
    this.#cache.add(row, read.value, this.length(row))
    return fill(read.value, this.#blobs)
  }

  line(row: Row): Buffer {
    return readAt(this.#opened(), this.offset(row), this.length(row))
  }

  problem(row: Row): string | undefined {
    const read = this.read(row)
    if (read.ok || this.kind(row) === KIND.blank) return undefined
    return read.problem
  }

  read(row: Row): Parsed<LogRecord> {
    const read = this.#bare(row)
    return read.ok ? { ok: true, value: fill(read.value, this.#blobs) } : read
  }

  /** As the line has it: its blobs are files, which may come and go. */
  #bare(row: Row): Parsed<LogRecord> {
    const parsed = this.#parse(row)
    if (this.#fits(row, parsed)) return parsed
    if (row >= this.fromIndex) {
      return parsed.ok ? { ok: false, problem: "a field stands on it twice, with two values" } : parsed
    }
    this.onMismatch()
    return row < this.size ? this.#bare(row) : { ok: false, problem: "the log has changed under the index" }
  }

  #parse(row: Row): Parsed<LogRecord> {
    const length = this.length(row)
    if (length > LONGEST_LINE) return { ok: false, problem: `too long to read (${length} bytes)` }
    const parsed = parseRecord(this.#lines.read(this.#opened(), this.offset(row), length).toString("utf8"))
    if (!parsed.ok) return parsed
    if (this.kind(row) === KIND.damaged) {
      return { ok: false, problem: `a record with the id ${parsed.value.id} came before` }
    }
    return parsed
  }

  /** Whether the line is what its row says. */
  #fits(row: Row, parsed: Parsed<LogRecord>): boolean {
    const kind = this.kind(row)
    if (!parsed.ok) return kind === KIND.damaged || kind === KIND.blank
    const record = parsed.value
    if (kindOf(record.type) !== kind || !this.#isId(row, record.id)) return false
    if (!isEntry(record) || record.parent === null) return true
    const parent = this.parent(row)
    return parent === NONE || this.#isId(parent, record.parent)
  }

  #isId(row: Row, id: string): boolean {
    idWords(id, this.#words)
    for (let i = 0; i < 4; i++) if (this.word(row, i) !== this.#words[i]) return false
    return true
  }
}

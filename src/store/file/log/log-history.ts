// The tree of a log file; bodies are read on demand.
import { Rows, type StoredRows } from "../../../history/rows/rows.ts"
import { type History, NONE, type Row } from "../../../history/tree/tree.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { idWords } from "../../../model/id-words.ts"
import type { Parsed } from "../../../model/json.ts"
import { emptyFacts, LONGEST_LINE } from "../../../model/record/facts.ts"
import { ORIGINS, ROLES } from "../../../model/record/origin.ts"
import { isPrompt } from "../../../model/record/prompt.ts"
import { isEntry, KIND, kindOf, type LogRecord } from "../../../model/record/record.ts"
import { parseRecord } from "../../../model/record/record-parse.ts"
import { keyNumber } from "../../../model/record/state-key.ts"
import type { LinePart } from "../../port.ts"
import { frozen } from "../disk/frozen.ts"
import { blobFolder } from "../disk/layout.ts"
import { attemptRead } from "../disk/problems.ts"
import { readAt } from "../disk/read-at.ts"
import { fill, lostContent } from "./blobs.ts"
import { LineReader } from "./line-reader.ts"
import { RecordCache } from "./record-cache.ts"
import { lineFacts } from "./scan.ts"

const NEWLINE = 10

export class LogHistory extends Rows implements History {
  #fd: number | undefined
  readonly #lines = new LineReader()
  readonly #words = new Uint32Array(4)
  readonly #facts = emptyFacts()
  /** Whether the line read last ends where its row says. */
  #ended = true
  /** How many rows came from an index; all others were made from the log itself. */
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

  /** Continues with another descriptor; undefined once the log is closed. */
  readFrom(fd: number | undefined): void {
    this.#fd = fd
    this.#lines.reset()
  }

  override reset(known?: StoredRows): void {
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
    this.#cache.add(row, frozen(read.value), this.length(row))
    return fill(read.value, this.#blobs)
  }

  line(row: Row, { from, to }: LinePart = { from: 0, to: this.length(row) }): Buffer {
    const length = Math.min(to, this.length(row)) - from
    return this.#bytes(this.offset(row) + from, Math.max(0, length))
  }

  #bytes(offset: number, length: number): Buffer {
    const fd = this.#opened()
    return attemptRead(this.#file, () => readAt(fd, offset, length))
  }

  problem(row: Row): string | undefined {
    const read = this.#bare(row)
    if (read.ok) return lostContent(read.value, this.#blobs)
    return this.kind(row) === KIND.blank ? undefined : read.problem
  }

  read(row: Row): Parsed<LogRecord> {
    const read = this.#bare(row)
    return read.ok ? { ok: true, value: fill(read.value, this.#blobs) } : read
  }

  /** The record without its blobs, which are files and may come and go. */
  #bare(row: Row): Parsed<LogRecord> {
    const parsed = this.#parse(row)
    const fromIndex = row < this.fromIndex
    if ((!fromIndex || this.#ended) && this.#fits(row, parsed)) return parsed
    // A line whose end contradicts its beginning is damaged; rebuilding the index would not change that.
    if (!fromIndex || this.#scansAlike(row)) {
      return parsed.ok ? { ok: false, problem: "it has the same field twice, with two values" } : parsed
    }
    this.onMismatch()
    return row < this.size ? this.#bare(row) : { ok: false, problem: "the log has changed under the index" }
  }

  #parse(row: Row): Parsed<LogRecord> {
    const length = this.length(row)
    if (length > LONGEST_LINE) return { ok: false, problem: `too long to read (${length} bytes)` }
    const [fd, offset] = [this.#opened(), this.offset(row)]
    const bytes = attemptRead(this.#file, () => this.#lines.read(fd, offset, length + 1))
    this.#ended = bytes.length <= length || bytes[length] === NEWLINE
    const parsed = parseRecord(bytes.toString("utf8", 0, length))
    if (!parsed.ok) return parsed
    if (this.kind(row) === KIND.damaged) {
      return { ok: false, problem: `an earlier record has the id ${parsed.value.id}` }
    }
    return parsed
  }

  /** Whether scanning the line would give this row. */
  #scansAlike(row: Row): boolean {
    const length = this.length(row)
    const bytes = this.#bytes(this.offset(row), length + 2)
    if (length > LONGEST_LINE || !lineFacts(bytes, length, this.#facts)) return false
    const { kind, id, hasParent, parent, role, origin, prompt } = this.#facts
    if (kind !== this.kind(row) || role !== this.role(row) || origin !== this.origin(row)) return false
    if (prompt !== this.isPrompt(row) || !this.#hasWords(row, id)) return false
    const above = hasParent ? this.parent(row) : NONE
    return above === NONE || this.#hasWords(above, parent)
  }

  /** Whether the line matches its row. */
  #fits(row: Row, parsed: Parsed<LogRecord>): boolean {
    const kind = this.kind(row)
    if (!parsed.ok) return kind === KIND.damaged || kind === KIND.blank
    const record = parsed.value
    if (kindOf(record.type) !== kind || !this.#isId(row, record.id)) return false
    if (record.type === "state" && keyNumber(record.key) !== this.origin(row)) return false
    if (record.type === "message") {
      if (record.role !== ROLES[this.role(row)] || record.origin !== ORIGINS[this.origin(row)]) return false
      if (isPrompt(record) !== this.isPrompt(row)) return false
    }
    if (!isEntry(record) || record.parent === null) return true
    const parent = this.parent(row)
    return parent === NONE || this.#isId(parent, record.parent)
  }

  #isId(row: Row, id: string): boolean {
    return this.#hasWords(row, idWords(id, this.#words))
  }

  #hasWords(row: Row, words: Uint32Array): boolean {
    for (let i = 0; i < 4; i++) if (this.word(row, i) !== words[i]) return false
    return true
  }
}

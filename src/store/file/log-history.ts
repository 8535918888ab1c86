// The tree of a log file, with bodies read when asked for.
import { Rows } from "../../history/rows.ts"
import { type History, NONE, type Row } from "../../history/tree.ts"
import { LONGEST_LINE } from "../../model/facts.ts"
import type { Parsed } from "../../model/json.ts"
import { KIND } from "../../model/kind.ts"
import { isEntry, type LogRecord } from "../../model/record.ts"
import { parseRecord } from "../../model/record-parse.ts"
import { fill } from "./blobs.ts"
import { readAt } from "./read.ts"

export class LogHistory extends Rows implements History {
  fd: number
  readonly #blobs: string
  /** Called when a row and its line disagree: the index is wrong. */
  onMismatch: () => void = () => undefined

  constructor(fd: number, blobs: string) {
    super()
    this.fd = fd
    this.#blobs = blobs
  }

  record(row: Row): LogRecord | undefined {
    const read = this.read(row)
    return read.ok ? read.value : undefined
  }

  line(row: Row): Buffer {
    return readAt(this.fd, this.offset(row), this.length(row))
  }

  problem(row: Row): string | undefined {
    const read = this.read(row)
    if (read.ok || this.kind(row) === KIND.blank) return undefined
    return read.problem
  }

  read(row: Row): Parsed<LogRecord> {
    const parsed = this.#parse(row)
    if (!parsed.ok || this.#fits(row, parsed.value)) return parsed
    this.onMismatch()
    return row < this.size ? this.#parse(row) : { ok: false, problem: "the log has changed under the index" }
  }

  #parse(row: Row): Parsed<LogRecord> {
    const length = this.length(row)
    if (length > LONGEST_LINE) return { ok: false, problem: `too long to read (${length} bytes)` }
    const parsed = parseRecord(this.line(row).toString("utf8"))
    if (!parsed.ok) return parsed
    if (this.kind(row) === KIND.damaged)
      return { ok: false, problem: `a record with the id ${parsed.value.id} came before` }
    return { ok: true, value: fill(parsed.value, this.#blobs) }
  }

  #fits(row: Row, record: LogRecord): boolean {
    if (record.id !== (super.id(row) as string)) return false
    if (!isEntry(record) || record.parent === null) return true
    const parent = this.parent(row)
    return parent === NONE || record.parent === super.id(parent)
  }
}

// The tree of another agent's session: rows from a scanner of its format, bodies read on demand.
import type { Opened, Reading, Scanner } from "../../formats/port.ts"
import { Rows, type StoredRows } from "../../history/rows/rows.ts"
import { entryId, type History, NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import { KIND, type LogRecord, type OperationRecord } from "../../model/record/record.ts"
import { frozen } from "../../store/file/disk/frozen.ts"
import { RecordCache } from "../../store/file/log/record-cache.ts"
import type { LinePart } from "../../store/port.ts"
import { OUR_LOG, offsetIn, sourceIn } from "./span-offset.ts"

/** Where the history reads bytes and our records. */
export interface Bytes {
  /** Contract: valid until the next call. */
  read(source: number, offset: number, length: number): Buffer
  /** A record of ours, by its row in our log. */
  ours(number: number): LogRecord | undefined
  /** An operation of ours that lines in the agent's files carry out. */
  operation(id: string): OperationRecord | undefined
}

export class ForeignHistory extends Rows implements History {
  readonly #opened: Opened
  readonly #bytes: Bytes
  readonly #cache = new RecordCache()
  readonly #reading: Reading = {
    history: this,
    read: (row) => this.body(row),
    original: (row) => this.line(row),
  }
  /** The last amendment of each entry. Built on first use. */
  #amended: { upTo: number; rows: Map<Row, Row> } | undefined
  scanner: Scanner | undefined

  constructor(opened: Opened, bytes: Bytes) {
    super()
    this.#opened = opened
    this.#bytes = bytes
  }

  override reset(known?: StoredRows): void {
    super.reset(known)
    this.#cache.clear()
    this.#amended = undefined
  }

  /** Where the agent's own file says it would continue. */
  override get head(): Row {
    const head = this.scanner?.head()
    return head === undefined ? super.head : head
  }

  get titleBeside(): string | undefined {
    return this.#opened.title
  }

  record(row: Row): LogRecord | undefined {
    if (this.kind(row) === KIND.amendment) return undefined
    const last = this.#lastAmendment(row)
    const known = this.#cache.get(last)
    if (known !== undefined) return known
    const record = this.#read(row, last)
    if (record !== undefined) this.#cache.add(last, frozen(record), this.length(last))
    return record
  }

  /** The bytes of a row exactly as in the agent's file; our own records as JSON. */
  line(row: Row, part?: LinePart): Buffer {
    const offset = this.offset(row)
    if (sourceIn(offset) === OUR_LOG)
      return Buffer.from(JSON.stringify(this.record(row) ?? null)).subarray(part?.from, part?.to)
    const { from, to } = part ?? { from: 0, to: this.length(row) }
    const length = Math.max(0, Math.min(to, this.length(row)) - from)
    return Buffer.from(this.#bytes.read(sourceIn(offset), offsetIn(offset) + from, length))
  }

  /** The bytes with an entry's current content. */
  body(row: Row): Buffer {
    return this.line(this.#lastAmendment(row))
  }

  #read(row: Row, body: Row): LogRecord | undefined {
    const offset = this.offset(row)
    if (sourceIn(offset) === OUR_LOG) return this.#resolved(row, this.#bytes.ours(offsetIn(offset)))
    const kind = this.kind(row)
    if (kind === KIND.blank || kind === KIND.damaged) return undefined
    const ours = kind === KIND.operation ? this.#bytes.operation(this.id(row)) : undefined
    if (ours !== undefined) return { ...ours, head: { ...ours.head, to: entryId(this, this.headAfter(row)) } }
    return this.#opened.record(row, this.#bytesOf(body), this.#reading)
  }

  /** The bytes of a row of the agent's own files. Contract: valid until any other bytes are read. */
  #bytesOf(row: Row): Buffer {
    const offset = this.offset(row)
    return this.#bytes.read(sourceIn(offset), offsetIn(offset), this.length(row))
  }

  /** Replaces the agent's own ids in a hook's snapshot by ours. */
  #resolved(row: Row, record: LogRecord | undefined): LogRecord | undefined {
    const entry = this.unit(row)
    if (record?.type !== "snapshot" || record.hook === undefined || entry === NONE) return record
    const name = record.hook.call
    const call = name === undefined ? undefined : (this.#opened.hookCall?.(this.body(entry), name) ?? name)
    return { ...record, entry: this.id(entry) as EntryId, ...(call !== undefined && { call }) }
  }

  #lastAmendment(row: Row): Row {
    if (this.last(KIND.amendment) === NONE) return row
    return this.#amendments().get(row) ?? row
  }

  #amendments(): Map<Row, Row> {
    this.#amended ??= { upTo: 0, rows: new Map() }
    const { upTo, rows } = this.#amended
    const found: Row[] = []
    for (let row = this.last(KIND.amendment); row !== NONE && row >= upTo; row = this.link(row)) found.push(row)
    for (const row of found.reverse()) rows.set(this.unit(row), row)
    this.#amended.upTo = this.size
    return rows
  }
}

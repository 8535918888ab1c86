// The tree of another agent's session: rows made by a scanner of its format, bodies read when asked for.
import type { Opened, Scanner } from "../formats/port.ts"
import { Rows, type StoredRows } from "../history/rows/rows.ts"
import { entryId, type History, NONE, type Row } from "../history/tree/tree.ts"
import type { EntryId } from "../model/id.ts"
import { KIND } from "../model/record/kind.ts"
import type { LogRecord, OperationRecord } from "../model/record/record.ts"
import { frozen } from "../store/file/disk/frozen.ts"
import { RecordCache } from "../store/file/log/record-cache.ts"
import { OVERLAY, offsetIn, sourceIn } from "./span-offset.ts"

/** Where bytes come from. */
export interface Bytes {
  /** Contract: valid until the next call. */
  read(source: number, offset: number, length: number): Buffer
  /** A record of ours, by its row in the log beside the files. */
  ours(number: number): LogRecord | undefined
  /** An operation of ours, which lines in the agent's files carry out. */
  operation(id: string): OperationRecord | undefined
}

export class ForeignHistory extends Rows implements History {
  readonly #opened: Opened
  readonly #bytes: Bytes
  readonly #cache = new RecordCache()
  /** By entry: its last amendment. Made when it is first needed. */
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

  /** The agent's own file says where it would continue. */
  override get head(): Row {
    const head = this.scanner?.head()
    return head === undefined ? super.head : head
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

  /** The bytes of a row as they stand in the agent's file; of what is ours, as JSON. */
  line(row: Row): Buffer {
    const offset = this.offset(row)
    if (sourceIn(offset) === OVERLAY) return Buffer.from(JSON.stringify(this.record(row) ?? null))
    return Buffer.from(this.#bytes.read(sourceIn(offset), offsetIn(offset), this.length(row)))
  }

  /** The bytes that say what an entry holds now. */
  body(row: Row): Buffer {
    return this.line(this.#lastAmendment(row))
  }

  #read(row: Row, body: Row): LogRecord | undefined {
    const offset = this.offset(row)
    if (sourceIn(offset) === OVERLAY) return this.#resolved(row, this.#bytes.ours(offsetIn(offset)))
    const kind = this.kind(row)
    if (kind === KIND.blank || kind === KIND.damaged) return undefined
    const ours = kind === KIND.operation ? this.#bytes.operation(this.id(row)) : undefined
    if (ours !== undefined) return { ...ours, head: { ...ours.head, to: entryId(this, this.headAfter(row)) } }
    return this.#opened.record(row, this.line(body), {
      history: this,
      read: (other) => this.body(other),
      original: (other) => this.line(other),
    })
  }

  /** What a hook calls by the agent's own names, by ours. */
  #resolved(row: Row, record: LogRecord | undefined): LogRecord | undefined {
    const entry = this.unit(row)
    if (record?.type !== "snapshot" || record.hook === undefined || entry === NONE) return record
    const { call } = record.hook
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

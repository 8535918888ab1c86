// Turns what a scanner reports into rows: the same rows that replaying our own log would make.
import { isMade, textOf } from "../../formats/ids.ts"
import type { ScannedEntry, Sink, Span } from "../../formats/port.ts"
import { COLUMN } from "../../history/rows/columns.ts"
import { replay } from "../../history/rows/replay.ts"
import { type Rows, startOf } from "../../history/rows/rows.ts"
import { entryId, NONE, type Row } from "../../history/tree/tree.ts"
import { bareFacts, emptyFacts, factsOf, setMessage } from "../../model/record/facts.ts"
import { ORIGINS, ROLES } from "../../model/record/origin.ts"
import { KIND, type Kind, type OperationRecord, type WritableRecord } from "../../model/record/record.ts"
import { SYSTEM_NUMBER } from "../../model/record/state-key.ts"
import { OUR_LOG, packOffset } from "./span-offset.ts"

const KINDS: Readonly<Record<ScannedEntry["kind"], Kind>> = {
  message: KIND.message,
  compaction: KIND.compaction,
  note: KIND.note,
  state: KIND.state,
  checkpoint: KIND.checkpoint,
  other: KIND.unknownEntry,
}

/** A record of ours, and its row in our log. */
export interface OurRecord {
  record: WritableRecord
  number: number
}

/** What retcon adds to another agent's session. */
export interface OurRecords {
  /** An operation by its id. */
  operation(id: string): OperationRecord | undefined
  /** The records written when this row was the last one, in order. Contract: each record is returned once. */
  takeAfter(rows: Rows, row: Row): readonly OurRecord[]
}

export class RowSink implements Sink {
  readonly #facts = emptyFacts()

  readonly rows: Rows
  readonly #our: OurRecords

  constructor(rows: Rows, our: OurRecords) {
    this.rows = rows
    this.#our = our
  }

  entry(entry: ScannedEntry): Row {
    const facts = this.#facts
    bareFacts(facts, KINDS[entry.kind])
    facts.id.set(entry.id)
    facts.hasParent = entry.parent !== NONE || entry.lost === true
    if (entry.system === true) facts.origin = SYSTEM_NUMBER
    facts.movesHead = entry.movesHead !== false
    if (entry.kind === "message") {
      const [role, origin] = [entry.role ?? "user", entry.origin ?? "unknown"]
      setMessage(facts, ROLES.indexOf(role), ORIGINS.indexOf(origin), entry.turn === true)
    }
    return this.#add(entry.span, entry.fresh, entry.parent)
  }

  move({ id, to, span }: { id: Uint32Array; to: Row; span: Span }): Row {
    const { rows } = this
    const facts = this.#facts
    // The agent may have moved many times, and looking for one of our operations may read the disk.
    const ours = isMade(id) ? undefined : this.#our.operation(textOf(id))
    bareFacts(facts, KIND.operation)
    facts.id.set(id)
    rows.standAtEnd()
    facts.move = {
      kind: ours?.kind ?? "goto",
      from: ours?.head.from ?? entryId(rows, rows.before.head),
      to: entryId(rows, to),
      undoes: ours?.undoes,
      files: ours?.files !== undefined,
    }
    return this.#add(span)
  }

  amend(entry: Row, span: Span): Row {
    const row = this.#bare(KIND.amendment, span)
    this.rows.pageOf(row)[startOf(row) + COLUMN.unit] = entry
    return row
  }

  aside({ id, kind, span }: { id: Uint32Array; kind: "config" | "label"; span: Span }): Row {
    bareFacts(this.#facts, KIND[kind])
    this.#facts.id.set(id)
    return this.#add(span)
  }

  damaged(span: Span): Row {
    return this.#bare(KIND.damaged, span)
  }

  rowBefore(source: number, offset: number): Row {
    const [first, end] = [packOffset({ source, offset: 0 }), packOffset({ source, offset })]
    for (let row = this.rows.size - 1; row >= 0; row--) {
      const at = this.rows.offset(row)
      if (at >= first && at < end) return row
    }
    return NONE
  }

  ours(id: string): OperationRecord | undefined {
    return this.#our.operation(id)
  }

  /** Adds a record of ours: row `number` of our log. */
  own(record: WritableRecord, number: number): Row {
    factsOf(record, this.#facts)
    return replay(this.rows, this.#facts, { offset: packOffset({ source: OUR_LOG, offset: number }), length: 0 })
  }

  /** Adds a snapshot taken by a hook: the row's `unit` is the entry it belongs to. */
  hooked(record: WritableRecord, number: number, entry: Row): void {
    const row = this.own(record, number)
    this.rows.pageOf(row)[startOf(row) + COLUMN.unit] = entry
  }

  #bare(kind: Kind, span: Span): Row {
    bareFacts(this.#facts, kind)
    this.#facts.id.fill(0)
    return this.#add(span)
  }

  #add(span: Span, fresh = false, parent?: Row): Row {
    const row = replay(this.rows, this.#facts, { offset: packOffset(span), length: span.length }, fresh, parent)
    for (const { record, number } of this.#our.takeAfter(this.rows, row)) this.own(record, number)
    return row
  }
}

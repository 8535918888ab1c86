// Turns what a scanner tells into rows: the same rows that replaying a log of ours would make.
import type { ScannedEntry, Sink, Span } from "../formats/port.ts"
import { COLUMN } from "../history/rows/columns.ts"
import { replay } from "../history/rows/replay.ts"
import { type Rows, startOf } from "../history/rows/rows.ts"
import { entryId, NONE, type Row } from "../history/tree/tree.ts"
import { idText } from "../model/id-words.ts"
import { bareFacts, emptyFacts, factsOf, setMessage } from "../model/record/facts.ts"
import { KIND, type Kind } from "../model/record/kind.ts"
import { ORIGINS, ROLES } from "../model/record/origin.ts"
import type { OperationRecord, WritableRecord } from "../model/record/record.ts"
import { OVERLAY, packed } from "./span-offset.ts"

const KINDS: Readonly<Record<ScannedEntry["kind"], Kind>> = {
  message: KIND.message,
  compaction: KIND.compaction,
  note: KIND.note,
  state: KIND.state,
  checkpoint: KIND.checkpoint,
  other: KIND.unknownEntry,
}

/** A record of our own, and its row in the log that holds it. */
export interface Own {
  record: WritableRecord
  number: number
}

/** What is ours in a session of another agent. */
export interface OurRecords {
  /** An operation by its id. */
  operation(id: string): OperationRecord | undefined
  /** What was written when this row was the last one, in order. Contract: each record once. */
  takeAfter(rows: Rows, row: Row): readonly Own[]
}

export class RowSink implements Sink {
  readonly #facts = emptyFacts()
  readonly #missing = new Uint32Array(4)

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
    facts.parent.set(entry.parent === NONE ? this.#missing : this.#words(entry.parent))
    facts.system = entry.system === true
    facts.movesHead = entry.movesHead !== false
    if (entry.kind === "message") {
      const [role, origin] = [entry.role ?? "user", entry.origin ?? "unknown"]
      setMessage(facts, ROLES.indexOf(role), ORIGINS.indexOf(origin), entry.turn === true)
    }
    return this.#add(entry.span, entry.fresh)
  }

  move({ id, to, span }: { id: Uint32Array; to: Row; span: Span }): Row {
    const { rows } = this
    const facts = this.#facts
    const ours = this.#our.operation(idText(id[0] as number, id[1] as number, id[2] as number, id[3] as number))
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
    const [first, end] = [packed({ source, offset: 0 }), packed({ source, offset })]
    for (let row = this.rows.size - 1; row >= 0; row--) {
      const at = this.rows.offset(row)
      if (at >= first && at < end) return row
    }
    return NONE
  }

  ours(id: string): OperationRecord | undefined {
    return this.#our.operation(id)
  }

  /** A record of our own log beside the file, which is its `number`th row there. */
  own(record: WritableRecord, number: number): Row {
    factsOf(record, this.#facts)
    return replay(this.rows, this.#facts, { offset: packed({ source: OVERLAY, offset: number }), length: 0 })
  }

  /** One that a hook took: the row's `unit` is the entry that it is about. */
  hooked(record: WritableRecord, number: number, entry: Row): void {
    const row = this.own(record, number)
    this.rows.pageOf(row)[startOf(row) + COLUMN.unit] = entry
  }

  #bare(kind: Kind, span: Span): Row {
    bareFacts(this.#facts, kind)
    this.#facts.id.fill(0)
    return this.#add(span)
  }

  #add(span: Span, fresh = false): Row {
    const row = replay(this.rows, this.#facts, { offset: packed(span), length: span.length }, fresh)
    for (const { record, number } of this.#our.takeAfter(this.rows, row)) this.own(record, number)
    return row
  }

  #words(row: Row): Uint32Array {
    const at = startOf(row)
    return this.rows.pageOf(row).subarray(at, at + 4)
  }
}

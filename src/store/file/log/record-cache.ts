// Records that were read recently. Each step of a turn builds its context from the same records again: if it also parsed
// them again, a step would cost as much as the whole conversation.
import type { Row } from "../../../history/tree/tree.ts"
import type { LogRecord } from "../../../model/record/record.ts"

/** Bytes of lines that are kept at most. */
const MOST = 32 * 1024 * 1024

/**
 * Contract: what it returns is shared, so nobody may change it. When it is full, the older half goes at once: taking
 * records one by one from the front of a Map gets slower with each one that was taken before.
 */
export class RecordCache {
  #records = new Map<Row, LogRecord>()
  #older = new Map<Row, LogRecord>()
  /** Of `#records`. */
  #bytes = 0

  get(row: Row): LogRecord | undefined {
    return this.#records.get(row) ?? this.#older.get(row)
  }

  add(row: Row, record: LogRecord, bytes: number): void {
    if (bytes > MOST / 4) return
    if (this.#bytes + bytes > MOST / 2) {
      this.#older = this.#records
      this.#records = new Map()
      this.#bytes = 0
    }
    this.#records.set(row, record)
    this.#bytes += bytes
  }

  clear(): void {
    this.#records.clear()
    this.#older.clear()
    this.#bytes = 0
  }
}

// Recently read records. Each step of a turn builds its context from the same records: if it parsed them again, a step
// would cost as much as the whole conversation.
import type { Row } from "../../../history/tree/tree.ts"
import type { LogRecord } from "../../../model/record/record.ts"

/** At most this many bytes of lines are kept. */
const MOST = 32 * 1024 * 1024

/**
 * Contract: returned records are shared, so nobody may change them. When the cache is full, the older half is dropped
 * at once: removing records one by one from the front of a Map gets slower with each removal.
 */
export class RecordCache {
  #records = new Map<Row, LogRecord>()
  #older = new Map<Row, LogRecord>()
  /** Of the lines of `#records`. */
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

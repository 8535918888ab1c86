// Records that were read lately. A context is built again at each step of a turn from the same records: parsing them each
// time would make a step cost what the conversation costs.
import type { Row } from "../../../history/tree/tree.ts"
import type { LogRecord } from "../../../model/record/record.ts"

/** Bytes of lines that are kept at most. */
const MOST = 32 * 1024 * 1024

/**
 * Contract: what it answers is shared: nobody changes it. Those kept longest go first, half of them at once: to take
 * them one by one from the front of a Map costs what was taken before.
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

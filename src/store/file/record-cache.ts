// Records that were read lately. A context is made anew at each step of a turn from the same records: parsing them each
// time would make a step cost what the conversation costs.
import type { Row } from "../../history/tree.ts"
import type { LogRecord } from "../../model/record.ts"

/** Bytes of lines that are kept at most. */
const MOST = 32 * 1024 * 1024

/** Contract: what it answers is shared: nobody changes it. The one kept longest goes first. */
export class RecordCache {
  readonly #records = new Map<Row, { record: LogRecord; bytes: number }>()
  #bytes = 0

  get(row: Row): LogRecord | undefined {
    return this.#records.get(row)?.record
  }

  add(row: Row, record: LogRecord, bytes: number): void {
    if (bytes > MOST / 4) return
    this.#records.set(row, { record, bytes })
    this.#bytes += bytes
    for (const [oldest, kept] of this.#records) {
      if (this.#bytes <= MOST) return
      this.#records.delete(oldest)
      this.#bytes -= kept.bytes
    }
  }

  clear(): void {
    this.#records.clear()
    this.#bytes = 0
  }
}

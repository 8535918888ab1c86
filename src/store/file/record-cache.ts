// Records that were read lately. A context is made anew at each step of a turn from the same records: parsing them each
// time would make a step cost what the conversation costs.
import type { Row } from "../../history/tree.ts"
import type { Part } from "../../model/part.ts"
import type { LogRecord } from "../../model/record.ts"

/** Bytes of lines and blobs that are kept at most. */
const MOST = 32 * 1024 * 1024

/** Contract: what it answers is shared: nobody changes it. The one kept longest goes first. */
export class RecordCache {
  readonly #records = new Map<Row, { record: LogRecord; bytes: number }>()
  #bytes = 0

  get(row: Row): LogRecord | undefined {
    return this.#records.get(row)?.record
  }

  add(row: Row, record: LogRecord, lineBytes: number): void {
    const bytes = lineBytes + blobBytes(record)
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

function blobBytes(record: LogRecord): number {
  return record.type === "message" ? record.content.reduce((sum, part) => sum + partBytes(part), 0) : 0
}

function partBytes(part: Part): number {
  if (part.type === "unknown") return 0
  const media = part.type === "tool-result" ? (part.media ?? []) : []
  return media.reduce((sum, each) => sum + partBytes(each), part.blob?.bytes ?? 0)
}

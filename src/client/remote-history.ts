// The tree of a remote session: has all rows, and those records that were fetched.
import { Rows } from "../history/rows/rows.ts"
import type { History, Row } from "../history/tree/tree.ts"
import { type FactsPlace, readFacts } from "../history/wire/read-facts.ts"
import type { LogRecord } from "../model/record/record.ts"

/** Rows to add before yielding: a few milliseconds of work. */
const SLICE = 3000

export class RemoteHistory extends Rows implements History {
  readonly #records = new Map<Row, LogRecord | undefined>()

  record(row: Row): LogRecord | undefined {
    return this.#records.get(row)
  }

  override isHere(row: Row): boolean {
    return this.#records.has(row)
  }

  /** Null: the server cannot read it, so asking again would not help. */
  put(row: Row, record: LogRecord | null): void {
    this.#records.set(row, record ?? undefined)
  }

  async take(bytes: Uint8Array): Promise<void> {
    let place: FactsPlace = { byte: 0, ms: 0 }
    while (place.byte < bytes.length) {
      place = readFacts(this, bytes, place, SLICE)
      if (place.byte < bytes.length) await new Promise((done) => setTimeout(done))
    }
  }

  startOver(): void {
    this.reset()
    this.#records.clear()
  }
}

// Where a session stands: a row of its log, found again by its id when the rows are made anew.
import { entryId, NONE, type Row } from "../history/tree.ts"
import type { EntryId } from "../model/id.ts"
import type { SessionLog } from "../store/port.ts"

/** Contract: an entry that the log no longer has gives way to where the log's replay ends. */
export class Standing {
  readonly #log: SessionLog
  #row: Row
  #id: EntryId | null
  #generation: number

  constructor(log: SessionLog) {
    this.#log = log
    this.#row = log.history.head
    this.#id = entryId(log.history, this.#row)
    this.#generation = log.generation
  }

  get head(): Row {
    if (this.#generation !== this.#log.generation) {
      this.#generation = this.#log.generation
      const { history } = this.#log
      const row = this.#id === null ? NONE : history.rowOf(this.#id)
      this.#row = this.#id !== null && row === NONE ? history.head : row
    }
    return this.#row
  }

  set head(row: Row) {
    this.#generation = this.#log.generation
    this.#row = row
    this.#id = entryId(this.#log.history, row)
  }
}

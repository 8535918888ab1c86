// The head of a session: a row of its log, found again by its id when the rows are rebuilt.
import { entryId, NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { SessionLog } from "../../store/port.ts"

/** Contract: if the log no longer contains the entry, the head is where the log's replay ends. */
export class OwnHead {
  readonly #log: SessionLog
  #row: Row
  #id: EntryId | null
  #generation: number
  #lost = false

  constructor(log: SessionLog) {
    this.#log = log
    this.#row = log.history.head
    this.#id = entryId(log.history, this.#row)
    this.#generation = log.generation
  }

  get head(): Row {
    this.#lookAgain()
    return this.#row
  }

  /** The log no longer contains our head. */
  get lost(): boolean {
    this.#lookAgain()
    return this.#lost
  }

  set head(row: Row) {
    this.#lost = false
    this.#generation = this.#log.generation
    this.#row = row
    this.#id = entryId(this.#log.history, row)
  }

  /** Moves there for good, because the log no longer contains our head. */
  replaceLostHead(row: Row): void {
    const lost = this.lost
    this.head = row
    this.#lost = lost
  }

  #lookAgain(): void {
    if (this.#generation === this.#log.generation) return
    this.#generation = this.#log.generation
    const { history } = this.#log
    const row = this.#id === null ? NONE : history.rowOf(this.#id)
    this.#lost = this.#id !== null && row === NONE
    this.#row = this.#lost ? history.head : row
  }
}

// The head of an open session: where the log's replay ends, or its own for as long as it must not follow others.
import { entryId, NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { SessionLog } from "../../store/port.ts"

/**
 * Contract: while `follows()`, the head is where the log's replay ends, whoever moved it. Otherwise it stays where it was set, and
 * is found again by its id when the rows are rebuilt; if the log no longer contains it, it is where the replay ends.
 */
export class SessionHead {
  readonly #log: SessionLog
  readonly #follows: () => boolean
  #row: Row
  #id: EntryId | null
  #generation: number
  #lost = false

  constructor(log: SessionLog, follows: () => boolean) {
    this.#log = log
    this.#follows = follows
    this.#row = log.history.head
    this.#id = entryId(log.history, this.#row)
    this.#generation = log.generation
  }

  get row(): Row {
    if (this.#follows()) return this.#log.history.head
    this.#lookAgain()
    return this.#row
  }

  /** The log no longer contains the head that we kept. */
  get lost(): boolean {
    if (this.#follows()) return false
    this.#lookAgain()
    return this.#lost
  }

  set row(row: Row) {
    this.#lost = false
    this.#generation = this.#log.generation
    this.#row = row
    this.#id = entryId(this.#log.history, row)
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

// The answer that is being written. Claude Code writes one in pieces, a line for each block, and the results of parallel calls
// each under its own call: use 1 ← use 2 ← result 2, and result 1 under use 1. Here all of them stand one behind the other.
import type { Rows } from "../../history/rows/rows.ts"
import { isOnPath } from "../../history/tree/path.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { rowIn } from "./head.ts"

export class RunningAnswer {
  readonly #rows: Rows
  #id: string | undefined
  #first: Row = NONE
  #last: Row = NONE
  /** Calls that have no result yet. */
  #open = 0

  constructor(rows: Rows, state: Json | undefined) {
    this.#rows = rows
    if (!isObject(state)) return
    this.#id = typeof state.id === "string" ? state.id : undefined
    this.#first = rowIn(state.first)
    this.#last = rowIn(state.last)
    this.#open = typeof state.open === "number" ? state.open : 0
  }

  state(): JsonObject {
    return { id: this.#id ?? null, first: this.#first, last: this.#last, open: this.#open }
  }

  /** Where an entry hangs that names this parent: behind the last piece, when the parent is one of them. */
  parentFor(parent: Row): Row {
    return this.holds(parent) ? this.#last : parent
  }

  holds(row: Row): boolean {
    if (row === this.#last) return row !== NONE
    if (this.#last === NONE || row === NONE || row < this.#first || row > this.#last) return false
    return isOnPath(this.#rows, row, this.#last) && isOnPath(this.#rows, this.#first, row)
  }

  /** Whether a call of it still waits for its result. */
  get isOpen(): boolean {
    return this.#open > 0
  }

  /** A piece of an answer: of this one, or the first of another. */
  piece(row: Row, parent: Row, id: string | undefined, calls: boolean): void {
    if (id === undefined || id !== this.#id || parent !== this.#last) {
      this.#id = id
      this.#first = row
      this.#open = 0
    }
    this.#last = row
    if (calls) this.#open++
  }

  /** A result, or what the program attaches among the pieces. */
  follow(row: Row, parent: Row, result: boolean): void {
    if (parent !== this.#last || this.#last === NONE) return
    this.#last = row
    if (result && this.#open > 0) this.#open--
  }

  /** Something else was said: from here on each entry hangs where it says. */
  end(): void {
    this.#id = undefined
    this.#last = NONE
    this.#open = 0
  }
}

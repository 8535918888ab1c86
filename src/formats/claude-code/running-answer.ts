// The answer being scanned. Claude Code writes an answer in pieces, a line per block, and the results of parallel calls each under
// its own call: use 1 ← use 2 ← result 2, and result 1 under use 1. Here all of them become one chain.
import type { Rows } from "../../history/rows/rows.ts"
import { isOnPath, NONE, type Row } from "../../history/tree/tree.ts"
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

  /** The real parent of an entry that names this one: the last piece, if the named one is among the pieces. */
  parentFor(parent: Row): Row {
    return this.holds(parent) ? this.#last : parent
  }

  holds(row: Row): boolean {
    if (row === this.#last) return row !== NONE
    if (this.#last === NONE || row === NONE || row < this.#first || row > this.#last) return false
    return isOnPath(this.#rows, row, this.#last) && isOnPath(this.#rows, this.#first, row)
  }

  /** The id of the answer that these are pieces of. */
  get id(): string | undefined {
    return this.#id
  }

  /** Whether one of its calls still waits for a result. */
  get isOpen(): boolean {
    return this.#open > 0
  }

  /** Adds a piece: of this answer, or the first of another. */
  piece(row: Row, parent: Row, id: string | undefined, calls: boolean): void {
    if (id === undefined || id !== this.#id || parent !== this.#last) {
      this.#id = id
      this.#first = row
      this.#open = 0
    }
    this.#last = row
    if (calls) this.#open++
  }

  /** Adds a result, or an attachment among the pieces. */
  follow(row: Row, parent: Row, result: boolean): void {
    if (parent !== this.#last || this.#last === NONE) return
    this.#last = row
    if (result && this.#open > 0) this.#open--
  }

  /** The answer is over: from here on each entry has the parent that it names. */
  end(): void {
    this.#id = undefined
    this.#last = NONE
    this.#open = 0
  }
}

// How many tips there are, from how many there were: which they were need not be known as long as what is added begins
// a new conversation, or continues the then last entry or what was added.
import { isEntryKind } from "../../model/record/kind.ts"
import { NONE, type Row } from "../tree/tree.ts"

interface Added {
  readonly size: number
  kind(row: Row): number
  parent(row: Row): Row
}

/** How far back to look for an entry: after the last one there are usually a few records of other kinds. */
const NEAR = 128

export class BranchCount {
  readonly #rows: Added
  /** Rows there were. */
  readonly #before: number
  /** The last entry at that time, or NONE. */
  readonly #end: Row
  /** Tips among that one and those added since. */
  readonly #tips: Set<Row>
  #counted: number
  #count: number | undefined

  /** `rows` had this many `tips` when there were `before` rows. */
  constructor(rows: Added, before: number, tips: number) {
    this.#rows = rows
    this.#before = before
    this.#end = lastEntry(rows, before)
    this.#tips = new Set([this.#end])
    this.#counted = before
    this.#count = tips
  }

  /** Undefined once something continues an older entry, which may have been a tip or not. Costs what was added since. */
  get value(): number | undefined {
    for (; this.#count !== undefined && this.#counted < this.#rows.size; this.#counted++) this.#add(this.#counted)
    return this.#count
  }

  #add(row: Row): void {
    if (!isEntryKind(this.#rows.kind(row))) return
    const parent = this.#rows.parent(row)
    if (parent < this.#before && parent !== this.#end) this.#count = undefined
    else if ((parent === NONE || !this.#tips.delete(parent)) && this.#count !== undefined) this.#count++
    this.#tips.add(row)
  }
}

function lastEntry(rows: Added, before: number): Row {
  for (let row = before - 1; row >= Math.max(0, before - NEAR); row--) if (isEntryKind(rows.kind(row))) return row
  return NONE
}

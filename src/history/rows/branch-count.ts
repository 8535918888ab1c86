// Counts tips starting from an earlier count. It need not know which they were, as long as each added entry starts a
// conversation, or continues the entry that was last then or one added since.
import { isEntryKind } from "../../model/record/record.ts"
import { NONE, type Row } from "../tree/tree.ts"

interface Added {
  readonly size: number
  kind(row: Row): number
  parent(row: Row): Row
}

/** How far back to look for an entry: usually only a few records of other kinds follow the last one. */
const NEAR = 128

export class BranchCount {
  readonly #rows: Added
  /** The number of rows at that time. */
  readonly #before: number
  /** The last entry at that time, or NONE. */
  readonly #end: Row
  /** Tips among that entry and those added since. */
  readonly #tips: Set<Row>
  #counted: number
  #count: number | undefined

  /** `rows` had `tips` tips when it had `before` rows. */
  constructor(rows: Added, before: number, tips: number) {
    this.#rows = rows
    this.#before = before
    this.#end = lastEntry(rows, before)
    this.#tips = new Set([this.#end])
    this.#counted = before
    this.#count = tips
  }

  /** Undefined once something continues an older entry, which may have been a tip or not. Costs what was added. */
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

// The entries without children. Few change at a time, however many there are: the known ones stay untouched, and what
// came and went is kept separately.
import type { Row } from "../tree/tree.ts"

export class Tips {
  /** Ascending. */
  readonly #known: Uint32Array
  readonly #gone = new Set<Row>()
  readonly #added = new Set<Row>()

  /** Contract: `known` is ascending. */
  constructor(known: Uint32Array = new Uint32Array(0)) {
    this.#known = known
  }

  get size(): number {
    return this.#known.length - this.#gone.size + this.#added.size
  }

  add(row: Row): void {
    this.#added.add(row)
  }

  delete(row: Row): void {
    if (!this.#added.delete(row) && this.#isKnown(row)) this.#gone.add(row)
  }

  /** All of them, oldest first. Contract: copies the known ones in whole runs, skipping those that are gone. */
  list(): Uint32Array {
    const all = new Uint32Array(this.size)
    let [from, to] = [0, 0]
    for (const row of [...this.#gone].sort((a, b) => a - b)) {
      const at = this.#placeOf(row)
      all.set(this.#known.subarray(from, at), to)
      to += at - from
      from = at + 1
    }
    all.set(this.#known.subarray(from), to)
    to += this.#known.length - from
    const added = [...this.#added].sort((a, b) => a - b)
    all.set(added, to)
    // Added tips are nearly always newer than all known ones.
    const ascends = to === 0 || added.length === 0 || (all[to - 1] as Row) < (added[0] as Row)
    return ascends ? all : all.sort()
  }

  #isKnown(row: Row): boolean {
    return this.#known[this.#placeOf(row)] === row
  }

  /** The index of the first known tip that is not older. */
  #placeOf(row: Row): number {
    let [low, high] = [0, this.#known.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#known[middle] as Row) < row) low = middle + 1
      else high = middle
    }
    return low
  }
}

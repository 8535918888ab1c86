// The entries without children. Few of them change at a time, however many there are: what was known stays as it is, and
// what came and went is kept beside it.
import type { Row } from "./tree.ts"

export class Tips {
  /** Ascending. */
  readonly #known: Uint32Array
  readonly #gone = new Set<Row>()
  readonly #added = new Set<Row>()

  /** `known` ascends. */
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

  /** All of them, oldest first. */
  list(): Uint32Array {
    const known = this.#gone.size === 0 ? this.#known : this.#known.filter((row) => !this.#gone.has(row))
    const all = new Uint32Array(known.length + this.#added.size)
    all.set(known)
    all.set(
      [...this.#added].sort((a, b) => a - b),
      known.length,
    )
    // What was added is nearly always younger than all that was known.
    const ascends =
      known.length === 0 || known.length === all.length || (all[known.length - 1] as Row) < (all[known.length] as Row)
    return ascends ? all : all.sort()
  }

  #isKnown(row: Row): boolean {
    let [low, high] = [0, this.#known.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#known[middle] as Row) < row) low = middle + 1
      else high = middle
    }
    return this.#known[low] === row
  }
}

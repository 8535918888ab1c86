// Finds a row by id: open addressing over typed arrays, because a map of strings would cost a hundred bytes per record.
import { NONE, type Row } from "../tree/tree.ts"
import { COLUMN } from "./columns.ts"
import { isNamed } from "./is-named.ts"

interface Source {
  readonly size: number
  word(row: Row, column: number): number
}

/** From this many slots on, memory matters more than how often all ids are placed again. */
const LARGE = 256 * 1024

export class IdTable {
  readonly #rows: Source
  #slots = new Uint32Array(1024)
  #count = 0

  constructor(rows: Source) {
    this.#rows = rows
  }

  /** Adds all existing rows. */
  addAll(): void {
    let slots = this.#slots.length
    while (slots < this.#rows.size * 2) slots *= 2
    this.#place(slots)
  }

  find(words: Uint32Array): Row {
    const mask = this.#slots.length - 1
    for (let slot = slotOf(words[2] as number, words[3] as number) & mask; ; slot = (slot + 1) & mask) {
      const held = this.#slots[slot] as number
      if (held === 0) return NONE
      if (this.#same(held - 1, words)) return held - 1
    }
  }

  /** Contract: `row` is the last row. */
  add(row: Row): void {
    if (!isNamed(this.#rows.word(row, COLUMN.codes))) return
    if ((this.#count + 1) * 2 > this.#slots.length)
      this.#place(this.#slots.length * (this.#slots.length < LARGE ? 4 : 2))
    else this.#insert(row)
  }

  /** Places all rows again, in this many slots. In the order of rows, because neighbours share a page. */
  #place(slots: number): void {
    this.#slots = new Uint32Array(slots)
    this.#count = 0
    for (let row = 0; row < this.#rows.size; row++) if (isNamed(this.#rows.word(row, COLUMN.codes))) this.#insert(row)
  }

  #insert(row: Row): void {
    const mask = this.#slots.length - 1
    let slot = slotOf(this.#rows.word(row, 2), this.#rows.word(row, 3)) & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = row + 1
    this.#count++
  }

  #same(row: Row, words: Uint32Array): boolean {
    for (let i = 3; i >= 0; i--) if (this.#rows.word(row, i) !== words[i]) return false
    return true
  }
}

/** Both words are random in a UUIDv7; they are mixed, so that ids chosen on purpose do not pile up. */
function slotOf(a: number, b: number): number {
  let mixed = Math.imul(a ^ (b >>> 15), 0x85ebca6b) ^ b
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

// Which blocks of rows may contain an id: the earliest and the latest time of the ids in each. Ids are UUIDv7, so
// blocks hardly overlap, and an id newer than all others is known to be new without a search.

/** The first 48 bits of an id, from its first two words: milliseconds since 1970. */
function timeOf(first: number, second: number): number {
  return first * 0x1_0000 + (second >>> 16)
}

/** Two numbers per block: its earliest time, which is greater than its latest if it has no ids. */
const NOTHING = [Number.MAX_SAFE_INTEGER, -1] as const

export class BlockTimes {
  #times: Float64Array
  #blocks: number
  #newest = -1
  /** The second word of the newest id, which includes the order within a millisecond. */
  #newestLow = 0xffff_ffff

  /** `times`: a value of another one's `times`. */
  constructor(times: Float64Array = new Float64Array(0)) {
    this.#times = times
    this.#blocks = times.length / 2
    for (let i = 1; i < times.length; i += 2) this.#newest = Math.max(this.#newest, times[i] as number)
  }

  /** Two per block. */
  get times(): Float64Array {
    return this.#times.subarray(0, this.#blocks * 2)
  }

  /** Makes room for a block, whose rows may have no ids. */
  reach(block: number): void {
    while (this.#blocks <= block) {
      if (this.#blocks * 2 === this.#times.length) {
        const grown = new Float64Array(this.#times.length * 2 + 16)
        grown.set(this.#times)
        this.#times = grown
      }
      this.#times.set(NOTHING, this.#blocks * 2)
      this.#blocks++
    }
  }

  /** Adds an id by its first two words. */
  add(block: number, first: number, second: number): void {
    if (block >= this.#blocks) this.reach(block)
    const time = timeOf(first, second)
    const times = this.#times
    if (time < (times[block * 2] as number)) times[block * 2] = time
    if (time > (times[block * 2 + 1] as number)) times[block * 2 + 1] = time
    if (time > this.#newest || (time === this.#newest && second > this.#newestLow)) {
      this.#newest = time
      this.#newestLow = second
    }
  }

  /** Whether the id, given by its first two words, is newer than all that were added. */
  isNew(first: number, second: number): boolean {
    const time = timeOf(first, second)
    return time > this.#newest || (time === this.#newest && second > this.#newestLow)
  }

  /**
   * Blocks that may contain an id, given by its first two words, newest first; undefined if there are more than `most`.
   */
  holding(first: number, second: number, most: number): number[] | undefined {
    const time = timeOf(first, second)
    const blocks: number[] = []
    for (let block = this.#blocks - 1; block >= 0; block--) {
      if (time < (this.#times[block * 2] as number) || time > (this.#times[block * 2 + 1] as number)) continue
      if (blocks.length === most) return undefined
      blocks.push(block)
    }
    return blocks
  }
}

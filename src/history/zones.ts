// Which pages of rows can hold an id: the first and the last time in the ids of each. Ids are UUIDv7, so pages hardly
// overlap, and an id that is newer than all is known to be new without looking.

/** The first 48 bits of an id, from its first two words: milliseconds since 1970. */
function timeOf(first: number, second: number): number {
  return first * 0x1_0000 + (second >>> 16)
}

export class Zones {
  /** First and last time of each page, in pairs; the first is greater than the last where there is none. */
  readonly #times: number[]
  #newest: number
  /** The second word of the newest id, which also holds the order within a millisecond. */
  #newestLow = 0xffff_ffff

  /** `times`: what `times()` of another has answered. */
  constructor(times: Iterable<number> = []) {
    this.#times = [...times]
    this.#newest = -1
    for (let i = 1; i < this.#times.length; i += 2) this.#newest = Math.max(this.#newest, this.#times[i] as number)
  }

  /** Two for each page. */
  get times(): readonly number[] {
    return this.#times
  }

  /** Makes room for a page whose rows may have no ids. */
  reach(page: number): void {
    while (this.#times.length <= page * 2) this.#times.push(Number.MAX_SAFE_INTEGER, -1)
  }

  /** Adds an id by its first two words. */
  add(page: number, first: number, second: number): void {
    this.reach(page)
    const time = timeOf(first, second)
    if (time < (this.#times[page * 2] as number)) this.#times[page * 2] = time
    if (time > (this.#times[page * 2 + 1] as number)) this.#times[page * 2 + 1] = time
    if (time > this.#newest || (time === this.#newest && second > this.#newestLow)) {
      this.#newest = time
      this.#newestLow = second
    }
  }

  /** Whether the id is newer than every one that was added. */
  isNew(words: Uint32Array): boolean {
    const [first, second] = [words[0] as number, words[1] as number]
    const time = timeOf(first, second)
    return time > this.#newest || (time === this.#newest && second > this.#newestLow)
  }

  /** Pages that can hold the id, newest first; undefined when they are more than `most`. */
  holding(words: Uint32Array, most: number): number[] | undefined {
    const time = timeOf(words[0] as number, words[1] as number)
    const pages: number[] = []
    for (let page = this.#times.length / 2 - 1; page >= 0; page--) {
      if (time < (this.#times[page * 2] as number) || time > (this.#times[page * 2 + 1] as number)) continue
      if (pages.length === most) return undefined
      pages.push(page)
    }
    return pages
  }
}

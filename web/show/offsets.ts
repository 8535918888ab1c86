// Where each item of a long list is, if only some heights are known.

export class Offsets {
  #keys: readonly string[] = []
  #tops = new Float64Array(1)
  /** Tops up to this index are up to date. */
  #valid = 0
  readonly #heights = new Map<string, number>()
  readonly #estimate: number

  constructor(estimate: number) {
    this.#estimate = estimate
  }

  get count(): number {
    return this.#keys.length
  }

  get total(): number {
    return this.top(this.count)
  }

  setKeys(keys: readonly string[]): void {
    let same = 0
    while (same < keys.length && keys[same] === this.#keys[same]) same++
    this.#keys = keys
    if (this.#tops.length < keys.length + 1) {
      const tops = new Float64Array((keys.length + 1) * 2)
      tops.set(this.#tops.subarray(0, Math.min(this.#valid, same) + 1))
      this.#tops = tops
    }
    this.#valid = Math.min(this.#valid, same)
  }

  /** Returns whether the height changed. */
  setHeight(index: number, height: number): boolean {
    const key = this.#keys[index]
    if (key === undefined || this.#heights.get(key) === height) return false
    this.#heights.set(key, height)
    this.#valid = Math.min(this.#valid, index)
    return true
  }

  key(index: number): string | undefined {
    return this.#keys[index]
  }

  /** `near`: where it was last seen. If the list has changed, it is searched: a map of all items would cost more. */
  indexOf(key: string, near = -1): number {
    return this.#keys[near] === key ? near : this.#keys.indexOf(key)
  }

  top(index: number): number {
    for (; this.#valid < index; this.#valid++) {
      const height = this.#heights.get(this.#keys[this.#valid] as string) ?? this.#estimate
      this.#tops[this.#valid + 1] = (this.#tops[this.#valid] as number) + height
    }
    return this.#tops[index] as number
  }

  /** The item at this height, or the last one. */
  at(y: number): number {
    let [low, high] = [0, Math.max(0, this.count - 1)]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.top(middle) <= y) low = middle
      else high = middle - 1
    }
    return low
  }
}

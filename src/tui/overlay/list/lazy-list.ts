// Rows that are made when they are first looked at.

export interface LazyList<Value> {
  /** Makes rows up to this many, if there are so many. Answers how many there are by now. */
  upTo(size: number): number
  at(row: number): Value | undefined
  /** Whether there are no more than are known. */
  readonly complete: boolean
}

export function lazyList<Value>(source: Iterator<Value>): LazyList<Value> {
  const known: Value[] = []
  let complete = false
  return {
    upTo(size) {
      while (!complete && known.length < size) {
        const next = source.next()
        if (next.done === true) complete = true
        else known.push(next.value)
      }
      return known.length
    },
    at: (row) => known[row],
    get complete() {
      return complete
    },
  }
}

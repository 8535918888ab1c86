// Rows that are made on first use.

export interface LazyList<Value> {
  /** Makes up to this many rows, if there are that many. Returns how many exist now. */
  upTo(size: number): number
  at(row: number): Value | undefined
  /** Whether all rows have been made. */
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

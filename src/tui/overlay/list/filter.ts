// Finds the rows that contain all words of a query, a slice at a time, so that no key waits for it.

export interface Filter {
  readonly query: string
  /** The rows found so far, in order. */
  readonly found: readonly number[]
  readonly done: boolean
  /** Every row below this one was examined, by this filter or by those it narrows. */
  readonly scanned: number
  /** Examines rows until there are no more or `enough` says so; at least one. */
  work(enough: () => boolean): void
}

/** Contract: each filter calls `textOf` at most once per row. The text may have several lines. */
export function startFilter(size: number, textOf: (row: number) => string, query: string, before?: Filter): Filter {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const narrows = before !== undefined && query.startsWith(before.query)
  // What the shorter query did not match, the longer one does not match either.
  const candidates = narrows ? before.found : []
  let nextCandidate = 0
  let next = narrows ? before.scanned : 0
  const found: number[] = []

  const look = (row: number) => {
    const text = textOf(row).toLowerCase()
    if (words.every((word) => text.includes(word))) found.push(row)
  }

  return {
    query,
    found,
    get done() {
      return nextCandidate >= candidates.length && next >= size
    },
    get scanned() {
      return nextCandidate >= candidates.length ? next : (candidates[nextCandidate] ?? 0)
    },
    work(enough) {
      do {
        if (nextCandidate < candidates.length) look(candidates[nextCandidate++] as number)
        else if (next < size) look(next++)
        else return
      } while (!enough())
    },
  }
}

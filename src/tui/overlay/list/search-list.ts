// A virtual list with a query above it: typing narrows it, a slice at a time.
import type { KeyPress } from "../../terminal/keys.ts"
import { editLineField } from "./line-field.ts"
import { fitList, LIST_START, type ListState, moveList, visibleRows } from "./list.ts"

export interface SearchListOptions {
  size: number
  /** The text that a search examines. Requested one row at a time, and only during a search. */
  textOf: (row: number) => string
  now: () => number
}

/** How many milliseconds one slice may take: less than a frame. */
const SLICE = 6

export interface SearchList {
  readonly query: string
  /** How many rows are shown, and how many there are. */
  readonly size: number
  readonly total: number
  /** The row under the cursor, counted among all rows. */
  readonly chosen: number | undefined
  /** Whether rows are still being examined. */
  readonly searching: boolean
  /** Whether the key was for the list. */
  key(key: KeyPress): boolean
  /** Puts the cursor on a row, if it is shown. */
  choose(row: number): void
  /** The rows on a screen of this height. */
  visible(height: number): { row: number; chosen: boolean }[]
  /** Does one slice of an unfinished search. */
  work(): void
  /** The searched texts have changed: examines all rows again. The cursor stays on its row. */
  again(): void
}

export function makeSearchList({ size, textOf, now }: SearchListOptions): SearchList {
  let list: ListState = LIST_START
  let query = ""
  let filter: Filter | undefined
  let height = 10
  const shown = () => filter?.found.length ?? size
  const rowAt = (at: number): number | undefined => (filter === undefined ? at : filter.found[at])

  function work(): void {
    const until = now() + SLICE
    filter?.work(() => now() >= until)
  }

  function search(text: string): void {
    query = text
    filter = text.trim() === "" ? undefined : startFilter(size, textOf, text.trimStart(), filter)
    list = LIST_START
    work()
  }

  return {
    get query() {
      return query
    },
    get size() {
      return shown()
    },
    total: size,
    get chosen() {
      return shown() === 0 ? undefined : rowAt(list.at)
    },
    get searching() {
      return filter?.done === false
    },
    key(key) {
      const moved = moveList(list, key.name, shown(), height)
      if (moved !== undefined) {
        list = moved
        return true
      }
      const text = editLineField(query, key)
      if (text === undefined) return false
      if (text !== query) search(text)
      return true
    },
    choose(row) {
      const at = filter === undefined ? row : filter.found.indexOf(row)
      if (at >= 0) list = fitList({ at, top: list.top }, shown(), height)
    },
    visible(rows) {
      height = rows
      list = fitList(list, shown(), rows)
      return visibleRows(list, shown(), rows).map((at) => ({ row: rowAt(at) as number, chosen: at === list.at }))
    },
    work,
    again() {
      if (filter === undefined) return
      const row = shown() === 0 ? undefined : rowAt(list.at)
      filter = startFilter(size, textOf, filter.query)
      work()
      const at = row === undefined ? -1 : filter.found.indexOf(row)
      list = fitList({ at: at === -1 ? 0 : at, top: list.top }, shown(), height)
    },
  }
}

interface Filter {
  readonly query: string
  /** The rows found so far, in order. */
  readonly found: readonly number[]
  readonly done: boolean
  /** Every row below this one was examined, by this filter or by those it narrows. */
  readonly scanned: number
  /** Examines rows until there are no more or `enough` says so; at least one. */
  work(enough: () => boolean): void
}

/**
 * Finds the rows that contain all words of a query, a slice at a time, so that no key waits for it. Contract: each
 * filter calls `textOf` at most once per row. The text may have several lines.
 */
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

// Rows that were carried over the wire, and all that is in a row but its place in a file.
import { WORDS } from "../../../src/history/rows/columns.ts"
import { Rows } from "../../../src/history/rows/rows.ts"
import { readFacts } from "../../../src/history/wire/read-facts.ts"
import { writeFacts } from "../../../src/history/wire/write-facts.ts"

/** The columns of a line's offset and length. */
const PLACE = [4, 5, 6]
const COLUMNS = Array.from({ length: WORDS }, (_, column) => column).filter((column) => !PLACE.includes(column))

export function columnsOf(rows: Rows): number[][] {
  return Array.from({ length: rows.size }, (_, row) => COLUMNS.map((column) => rows.word(row, column)))
}

/** Sent in parts that end at these rows, each part read a few rows at a time. */
export function carried(rows: Rows, ends: readonly number[] = [], most?: number): Rows {
  const copy = new Rows()
  for (const end of [...ends, rows.size]) {
    const bytes = writeFacts(rows, copy.size, Math.max(copy.size, Math.min(end, rows.size)))
    let place = { byte: 0, ms: 0 }
    while (place.byte < bytes.length) place = readFacts(copy, bytes, place, most)
  }
  return copy
}

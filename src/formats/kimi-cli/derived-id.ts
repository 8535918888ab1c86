// Ids for Kimi CLI's entries, which have none: derived from the entry before and the bytes of the line.
import type { Rows } from "../../history/rows/rows.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import { madeWords } from "../ids.ts"

export function entryWords(rows: Rows, parent: Row, bytes: Buffer): Uint32Array {
  return madeWords(0, `${parent === NONE ? "" : rows.id(parent)} ${bytes.toString("latin1")}`)
}

/** Whether the row was made from these bytes. */
export function isEntryOf(rows: Rows, row: Row, bytes: Buffer): boolean {
  return rows.hasId(row, entryWords(rows, rows.parent(row), bytes))
}

/** How far back to look for the tail that a compaction kept. */
const LONGEST_TAIL = 512

/** The last entries before a compaction. What it kept is among these. */
export function tailBefore(rows: Rows, compaction: Row): Row[] {
  const tail: Row[] = []
  let row = rows.parent(compaction)
  for (; row !== NONE && tail.length < LONGEST_TAIL; row = rows.parent(row)) tail.push(row)
  return tail.reverse()
}

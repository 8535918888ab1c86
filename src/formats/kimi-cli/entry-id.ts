// Ids of entries of Kimi CLI, which has none: made from the entry before and the bytes of the line.
import type { Rows } from "../../history/rows/rows.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import { madeWords } from "../ids.ts"

export function entryWords(rows: Rows, parent: Row, bytes: Buffer): Uint32Array {
  return madeWords(0, `${parent === NONE ? "" : rows.id(parent)} ${bytes.toString("latin1")}`)
}

/** Whether these bytes made the row. */
export function isEntryOf(rows: Rows, row: Row, bytes: Buffer): boolean {
  return rows.hasId(row, entryWords(rows, rows.parent(row), bytes))
}

/** How far back the tail of a compaction is looked for. */
const LONGEST_TAIL = 512

/** The entries before a compaction, the last of them: what it kept is among these. */
export function tailBefore(rows: Rows, compaction: Row): Row[] {
  const tail: Row[] = []
  let row = rows.parent(compaction)
  for (; row !== NONE && tail.length < LONGEST_TAIL; row = rows.parent(row)) tail.push(row)
  return tail.reverse()
}

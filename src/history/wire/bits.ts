// Facts of rows as bytes: what both sides of the wire agree on. A row begins with a byte: its kind, and four bits.
//   entry      what it does (ENTRY) · where its parent is, unless it is the head · message: who said it; state: its key
//   operation  what it does (OPERATION) · where it goes and comes from, unless that is lost
//   others     OTHER · for a duplicate: who said it · the row it is about
// Then, for rows that have one, the id: the difference of its time from the previous id's, and ten bytes.
// Rows are referred to by how far back they are. File offsets are not sent: they matter only to the owner of the file.
import { KIND } from "../../model/record/record.ts"
import type { Rows } from "../rows/rows.ts"
import { NONE, type Row } from "../tree/tree.ts"

export const ENTRY = {
  prompt: 16,
  /** It does not move the head by itself. */
  aside: 64,
  /** Its parent is not the head before it. */
  elsewhere: 128,
} as const

/** Where the parent of an `elsewhere` entry is: one of these, otherwise the distance plus one. */
export const PARENT = { none: 0, lost: 1 } as const

/** One that is lost leaves nothing open: with that bit, it took in lines of another log, and how far back their first is follows. */
export const OPERATION = { undo: 16, redo: 32, lost: 48, which: 48, files: 64, open: 128 } as const

/**
 * Where an operation comes from: one of these, else the distance plus one. Its target: 0 for none, else the distance.
 */
export const FROM = { head: 0, none: 1 } as const

export const OTHER = {
  /** Its id is that of an earlier record. */
  duplicate: 16,
  /** It is about a row. */
  about: 32,
} as const

/** Whether the id is sent; otherwise it is all zeros. */
export function hasId(kind: number, duplicate: boolean): boolean {
  return duplicate || (kind !== KIND.blank && kind !== KIND.damaged && kind !== KIND.amendment)
}

export function hasSpeaker(kind: number, duplicate: boolean): boolean {
  return duplicate || kind === KIND.message || kind === KIND.state
}

/** Where the head was before a row. */
export function headBefore(rows: Rows, row: Row): Row {
  return row === 0 ? NONE : rows.headAfter(row - 1)
}

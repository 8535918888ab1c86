// The ids that views show: the last six characters, or more if two entries of this tree would look the same.
import { SHORT_ID } from "../../model/id.ts"
import { isEntryKind } from "../../model/record/record.ts"
import type { Row, Tree } from "./tree.ts"

export interface ShortIds {
  of: (row: Row) => string
  /** The length of the longest one, as a column width. */
  width: number
}

/** A bitmap of 2 MB with a bit for each six hex digits, instead of a set of a million strings. */
const PLACES = 16 ** SHORT_ID

/** Contract: what `of` returns names one entry, and is accepted wherever an entry is named. Visits each row once. */
export function shortIds(tree: Tree): ShortIds {
  const once = new Uint8Array(PLACES / 8)
  const twice = new Uint8Array(PLACES / 8)
  let clashes = false
  for (let row = 0; row < tree.size; row++) {
    const place = placeOf(tree, row)
    const [byte, bit] = [place >>> 3, 1 << (place & 7)]
    if (((once[byte] as number) & bit) !== 0) {
      twice[byte] = (twice[byte] as number) | bit
      clashes = true
    }
    once[byte] = (once[byte] as number) | bit
  }
  const lengths = clashes ? clashingLengths(tree, twice) : new Map<Row, number>()
  let width = SHORT_ID
  for (const length of lengths.values()) width = Math.max(width, length)
  return { width, of: (row) => tree.id(row).slice(-(lengths.get(row) ?? SHORT_ID)) }
}

/** The last six digits. */
function placeOf(tree: Tree, row: Row): number {
  return tree.idEnd(row) & (PLACES - 1)
}

/** How many characters are needed for each of the entries whose ids end alike. */
function clashingLengths(tree: Tree, twice: Uint8Array): Map<Row, number> {
  const groups = new Map<number, Row[]>()
  for (let row = 0; row < tree.size; row++) {
    const place = placeOf(tree, row)
    if (((twice[place >>> 3] as number) & (1 << (place & 7))) === 0 || !isEntryKind(tree.kind(row))) continue
    const group = groups.get(place)
    if (group === undefined) groups.set(place, [row])
    else group.push(row)
  }
  const lengths = new Map<Row, number>()
  for (const group of groups.values()) {
    const ids = group.map((row) => tree.id(row))
    let length = SHORT_ID
    while (length < 36 && new Set(ids.map((id) => id.slice(-length))).size < ids.length) length++
    for (const row of group) lengths.set(row, length)
  }
  return lengths
}

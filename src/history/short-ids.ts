// The ids that views show: the last six characters, more where two entries of this tree would look the same.
import { SHORT_ID } from "../model/id.ts"
import { entries } from "./path.ts"
import type { Row, Tree } from "./tree.ts"

export interface ShortIds {
  of: (row: Row) => string
  /** The length of the longest one, for a column. */
  width: number
}

/** Six hex digits as a bit of a map of 2 MB: no set of a million strings. */
const PLACES = 16 ** SHORT_ID

/** Contract: what `of` answers names one entry, and is accepted wherever an entry is named. */
export function shortIds(tree: Tree): ShortIds {
  const once = new Uint8Array(PLACES / 8)
  const twice = new Uint8Array(PLACES / 8)
  let clashes = false
  for (const row of entries(tree)) {
    const place = placeOf(tree.id(row))
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

function placeOf(id: string): number {
  return Number.parseInt(id.slice(-SHORT_ID), 16)
}

/** How much of each id is needed among those that end alike. */
function clashingLengths(tree: Tree, twice: Uint8Array): Map<Row, number> {
  const groups = new Map<number, Row[]>()
  for (const row of entries(tree)) {
    const place = placeOf(tree.id(row))
    if (((twice[place >>> 3] as number) & (1 << (place & 7))) === 0) continue
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

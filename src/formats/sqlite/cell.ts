// The content of a page: cells, which continue on other pages if they are long.
import type { Pages } from "./pages.ts"
import { SqliteDamage } from "./sqlite-damage.ts"
import { readVarint } from "./varint.ts"

const TYPES = new Map([
  [2, { leaf: false, table: false }],
  [5, { leaf: false, table: true }],
  [10, { leaf: true, table: false }],
  [13, { leaf: true, table: true }],
])

/** One page of a tree. */
export interface TreePage {
  bytes: Buffer
  leaf: boolean
  table: boolean
  /** The offsets of its cells. */
  cells: number[]
  /** The page after the last cell; 0 in a leaf. */
  last: number
}

export function treePage(pages: Pages, number: number): TreePage {
  const bytes = pages.page(number)
  const at = number === 1 ? 100 : 0
  const type = TYPES.get(bytes[at] as number)
  if (type === undefined) throw new SqliteDamage(`page ${number} is not part of a table or index`)
  const start = at + (type.leaf ? 8 : 12)
  const count = Math.min(bytes.readUInt16BE(at + 3), Math.floor((bytes.length - start) / 2))
  const cells = Array.from({ length: count }, (_, i) => bytes.readUInt16BE(start + i * 2))
  if (cells.some((cell) => cell > bytes.length - 4))
    throw new SqliteDamage(`page ${number} has cells that are not in it`)
  return { bytes, ...type, cells, last: type.leaf ? 0 : bytes.readUInt32BE(at + 8) }
}

/** The content of a cell, of which only part may be on the page itself. */
export interface Payload {
  size: number
  /** All of it. Contract: exactly `size` bytes, or throws SqliteDamage. */
  read(): Buffer
  /** The part that is on the page itself. */
  local: Buffer
}

export function payloadAt(pages: Pages, { bytes, table }: TreePage, at: number, size: number): Payload {
  const { usable } = pages
  const most = table ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const some = least + ((size - least) % (usable - 4))
  const here = size <= most ? size : some <= most ? some : least
  if (at + here > bytes.length || size > pages.count * pages.size)
    throw new SqliteDamage("a row is longer than its page")
  const local = bytes.subarray(at, at + here)
  return { size, local, read: () => (here === size ? local : whole(pages, local, bytes.readUInt32BE(at + here), size)) }
}

function whole(pages: Pages, local: Buffer, first: number, size: number): Buffer {
  const all = Buffer.allocUnsafe(size)
  let filled = local.copy(all)
  for (let next = first; filled < size; ) {
    const page = pages.page(next)
    filled += page.copy(all, filled, 4, Math.min(pages.usable, 4 + size - filled))
    next = page.readUInt32BE(0)
  }
  return all
}

/** The size of a cell's content, and where it begins. `at`: after the left child's page number, if the cell has one. */
export function sizeAt({ bytes }: TreePage, at: number): { size: number; start: number } {
  const { value, end } = readVarint(bytes, at)
  return { size: value, start: end }
}

// Walks over the trees of a database: the rows of a table, one row by its number, the entries of an index.
import { type Payload, payloadAt, sizeAt, type TreePage, treePage } from "./cell.ts"
import type { Pages } from "./pages.ts"
import { compareValues, readValues, type SqliteValue } from "./row-values.ts"
import { MOST_LEVELS, SqliteDamage } from "./sqlite-damage.ts"
import { readVarint } from "./varint.ts"

export interface TableCell {
  rowid: number
  payload: Payload
}

/** Ends a walk that goes in circles. */
class Steps {
  #left: number

  constructor(pages: Pages) {
    this.#left = pages.count
  }

  take(level: number): void {
    if (level > MOST_LEVELS || this.#left-- <= 0) throw new SqliteDamage("its pages form a loop")
  }
}

/** All rows of a table, in order. */
export function tableCells(pages: Pages, root: number): Generator<TableCell> {
  return cellsUnder(pages, root, 0, new Steps(pages))
}

function* cellsUnder(pages: Pages, number: number, level: number, steps: Steps): Generator<TableCell> {
  steps.take(level)
  const page = treePage(pages, number)
  for (const cell of page.cells) {
    if (page.leaf) yield tableCell(pages, page, cell)
    else yield* cellsUnder(pages, page.bytes.readUInt32BE(cell), level + 1, steps)
  }
  if (!page.leaf) yield* cellsUnder(pages, page.last, level + 1, steps)
}

function tableCell(pages: Pages, page: TreePage, at: number): TableCell {
  const { size, start } = sizeAt(page, at)
  const { value: rowid, end } = readVarint(page.bytes, start)
  return { rowid, payload: payloadAt(pages, page, end, size) }
}

export function tableRow(pages: Pages, root: number, rowid: number): TableCell | undefined {
  let number = root
  for (let level = 0; level <= MOST_LEVELS; level++) {
    const page = treePage(pages, number)
    const key = (cell: number) => readVarint(page.bytes, page.leaf ? sizeAt(page, cell).start : cell + 4).value
    const cell = page.cells[firstWhere(page.cells.length, (i) => key(page.cells[i] as number) >= rowid)]
    if (page.leaf) return cell !== undefined && key(cell) === rowid ? tableCell(pages, page, cell) : undefined
    number = cell === undefined ? page.last : page.bytes.readUInt32BE(cell)
  }
  throw new SqliteDamage("its pages form a loop")
}

/** The numbers of the rows whose first indexed values are these, in the order of the index. */
export function rowidsWhere(pages: Pages, root: number, values: readonly SqliteValue[]): Generator<number> {
  return entriesUnder(pages, root, values, 0, new Steps(pages))
}

function* entriesUnder(
  pages: Pages,
  number: number,
  wanted: readonly SqliteValue[],
  level: number,
  steps: Steps,
): Generator<number, boolean> {
  steps.take(level)
  const page = treePage(pages, number)
  const entry = (cell: number) => {
    const { size, start } = sizeAt(page, page.leaf ? cell : cell + 4)
    return readValues(payloadAt(pages, page, start, size).read(), Number.POSITIVE_INFINITY)
  }
  const order = (found: readonly SqliteValue[]) => compareAll(found, wanted)
  const from = firstWhere(page.cells.length, (i) => order(entry(page.cells[i] as number)) >= 0)
  for (const cell of page.cells.slice(from)) {
    if (!page.leaf && (yield* entriesUnder(pages, page.bytes.readUInt32BE(cell), wanted, level + 1, steps))) return true
    const found = entry(cell)
    if (order(found) > 0) return true
    const rowid = found.at(-1)
    if (typeof rowid === "number") yield rowid
  }
  return page.leaf ? false : yield* entriesUnder(pages, page.last, wanted, level + 1, steps)
}

function compareAll(found: readonly SqliteValue[], wanted: readonly SqliteValue[]): number {
  for (const [i, value] of wanted.entries()) {
    const order = compareValues(found[i] ?? null, value)
    if (order !== 0) return order
  }
  return 0
}

/** The first number for which it is true, or `count`. Contract: once true, it is true for all greater numbers. */
function firstWhere(count: number, holds: (i: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

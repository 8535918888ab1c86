import { expect, test } from "vitest"
import { WORDS } from "../../src/history/rows/columns.ts"
import { IdTable } from "../../src/history/rows/id-table.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import { KIND } from "../../src/model/record/record.ts"

/** Ids in no order: words of a generator with a fixed seed. The last two, which tell their place, agree now and then. */
function tableOf(size: number) {
  let seed = 7
  const next = () => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0)
  const ids = Array.from({ length: size }, (_, n) => Uint32Array.of(n, next(), next() % 4096, next() % 4096))
  const rows = {
    size: 0,
    word: (row: number, column: number) => (column < 4 ? (ids[row]?.[column] ?? 0) : column < WORDS ? KIND.message : 0),
  }
  const table = new IdTable(rows)
  const add = (row: number) => {
    rows.size = row + 1
    table.add(row)
  }
  return { ids, rows, table, add }
}

test("a table that grew from nothing to 300,000 ids finds each of them", () => {
  const { ids, table, add } = tableOf(300_000)
  for (let row = 0; row < ids.length; row++) add(row)
  const wrong = ids.filter((words, row) => table.find(words) !== row)
  expect(wrong).toHaveLength(0)
})

test("each of 40,000 ids leads to its own row, those that were there and those that came since", () => {
  const { ids, rows, table, add } = tableOf(40_000)
  rows.size = 20_000
  table.addAll()
  for (let row = 20_000; row < ids.length; row++) add(row)
  const wrong = ids.filter((words, row) => table.find(words) !== row)
  expect(wrong).toHaveLength(0)
  expect(table.find(Uint32Array.of(99_999, 1, 2, 3))).toBe(NONE)
})

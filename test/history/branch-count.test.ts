import * as fc from "fast-check"
import { expect, test } from "vitest"
import { BranchCount } from "../../src/history/rows/branch-count.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import { KIND } from "../../src/model/record/record.ts"

/** Of each row: how far above it its parent is, 0 for none; undefined for a row that is no entry. */
const anyRows = fc.array(fc.option(fc.oneof(fc.constant(1), fc.nat(6)), { nil: undefined, freq: 5 }), { maxLength: 40 })

/** The log of the first `size` rows, which can grow. */
function log(rows: readonly (number | undefined)[], size: number) {
  const kind = (row: number) => (rows[row] === undefined ? KIND.label : KIND.message)
  const parent = (row: number) => {
    const above = row - (rows[row] ?? 0)
    return above === row || above < 0 || kind(above) === KIND.label ? NONE : above
  }
  return { size, kind, parent }
}

function tipsOf({ size, kind, parent }: ReturnType<typeof log>): number[] {
  const entries = Array.from({ length: size }, (_, row) => row).filter((row) => kind(row) === KIND.message)
  const continued = new Set(entries.map((row) => parent(row)))
  return entries.filter((row) => !continued.has(row))
}

test("the number of tips is counted correctly from an earlier one, or not at all", () => {
  fc.assert(
    fc.property(anyRows, fc.nat(40), fc.nat(40), (rows, from, then) => {
      const before = Math.min(from, rows.length)
      const history = log(rows, before)
      const count = new BranchCount(history, before, tipsOf(history).length)
      for (history.size = Math.min(before + then, rows.length); history.size <= rows.length; history.size++) {
        expect([undefined, tipsOf(history).length]).toContain(count.value)
      }
    }),
    { numRuns: 500 },
  )
})

test("what continues the last entry, begins a conversation, or branches off what was added is counted", () => {
  const history = log([0, 0, undefined, 2, 1, 0, 3], 3)
  const count = new BranchCount(history, 3, 2)
  history.size = 7
  expect([count.value, tipsOf(history).length]).toEqual([4, 4])
})

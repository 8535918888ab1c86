// Where the conversation stood after each line: the same however it is stored, as in a list of all lines.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { LineHeads } from "../../../src/formats/kimi-code/line-heads.ts"
import { NONE } from "../../../src/history/tree/tree.ts"

test("before the first line the head is nowhere, and after a line it is where the last one left it", () => {
  const heads = new LineHeads()
  heads.add(2, 0)
  heads.add(3, 0)
  heads.add(5, 700)
  heads.add(1000, NONE)
  heads.add(1001, 3)
  expect([0, 1, 2, 3, 4, 5, 999, 1000, 1001, 9999].map((line) => heads.at(line))).toEqual([
    NONE,
    NONE,
    0,
    0,
    0,
    700,
    700,
    NONE,
    3,
    3,
  ])
})

test("the lines at which the head was at a row, even if they are apart", () => {
  const heads = new LineHeads()
  heads.add(1, 4)
  heads.add(3, 5)
  heads.add(6, 4)
  heads.add(8, 4, true)
  heads.add(9, 4)
  expect([...heads.rangesOf(4, 10)]).toEqual([
    { from: 1, to: 2 },
    { from: 6, to: 7 },
    { from: 8, to: 10 },
  ])
  expect([...heads.rangesOf(5, 10)]).toEqual([{ from: 3, to: 5 }])
  expect([...heads.rangesOf(9, 10)]).toEqual([])
})

test("any history is the same after it was stored, and continues from there", () => {
  const step = fc.record({
    lines: fc.integer({ min: 1, max: 40_000 }),
    head: fc.oneof(fc.nat(70_000), fc.constant(NONE)),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(60), fc.boolean(), (steps, cut, asked) => {
      let heads = new LineHeads()
      const naive: { line: number; head: number }[] = []
      let line = 0
      for (const [i, { lines, head }] of steps.entries()) {
        if (i === cut) heads = LineHeads.from(JSON.parse(JSON.stringify(heads.state())) as never)
        if (asked && i % 7 === 0) heads.at(line)
        line += lines
        heads.add(line, head)
        naive.push({ line, head })
      }
      for (const { line: at } of naive) {
        for (const near of [at - 1, at, at + 1]) {
          expect(heads.at(near)).toBe(naive.findLast((each) => each.line <= near)?.head ?? NONE)
        }
      }
    }),
    { numRuns: 60 },
  )
})

test("an invalid state starts from nothing", () => {
  for (const state of [undefined, null, 7, {}, { bytes: 7 }]) expect(LineHeads.from(state as never).at(9)).toBe(NONE)
})

// Which blocks of rows can hold an id, by the times in ids.
import { expect, test } from "vitest"
import { BlockTimes } from "../../src/history/rows/block-times.ts"

/** The first two words of an id with this time, and this order within its millisecond. */
const words = (time: number, order = 0): [number, number] => [
  Math.floor(time / 0x1_0000),
  ((time % 0x1_0000) * 0x1_0000 + order) >>> 0,
]
const TIME = 1_700_000_000_000
const BLOCKS = 100

/** A block for every ten milliseconds, with ids at its first and its last one. */
function blockTimes(): BlockTimes {
  const times = new BlockTimes()
  for (let block = 0; block < BLOCKS; block++) {
    for (const at of [0, 9]) times.add(block, ...words(TIME + block * 10 + at))
  }
  return times
}

test.each([
  ["as they were added", blockTimes()],
  ["read from an index", new BlockTimes(blockTimes().times)],
])("each id is looked for in its own block, %s", (_, times) => {
  for (let block = 0; block < BLOCKS; block++) {
    for (const at of [0, 5, 9]) expect(times.holding(...words(TIME + block * 10 + at), 4)).toEqual([block])
  }
  for (const time of [TIME - 1, TIME + BLOCKS * 10]) expect(times.holding(...words(time), 4)).toEqual([])
})

test("an id is new when its time, or its order within the newest millisecond, comes after all others", () => {
  const times = new BlockTimes()
  times.add(0, ...words(TIME, 7))
  times.add(0, ...words(TIME - 5, 9))
  expect(times.isNew(...words(TIME + 1))).toBe(true)
  expect(times.isNew(...words(TIME, 8))).toBe(true)
  expect(times.isNew(...words(TIME, 7))).toBe(false)
  expect(times.isNew(...words(TIME - 1, 99))).toBe(false)
})

test("an id with the time of the newest one in an index may be there, whatever its order", () => {
  const times = new BlockTimes(blockTimes().times)
  expect(times.isNew(...words(TIME + BLOCKS * 10 - 1, 0xffff))).toBe(false)
  expect(times.isNew(...words(TIME + BLOCKS * 10))).toBe(true)
})

test("ids that are not in the order of time: newest block first, and no answer beyond the limit", () => {
  const times = new BlockTimes()
  for (const block of [0, 1, 2]) for (const at of [0, 100]) times.add(block, ...words(TIME + at))
  expect(times.holding(...words(TIME + 50), 3)).toEqual([2, 1, 0])
  expect(times.holding(...words(TIME + 50), 2)).toBeUndefined()
})

test("a block without ids holds none", () => {
  const times = blockTimes()
  times.reach(BLOCKS + 5)
  expect(times.times).toHaveLength((BLOCKS + 6) * 2)
  expect(times.holding(...words(TIME + 5), BLOCKS)).toEqual([0])
})

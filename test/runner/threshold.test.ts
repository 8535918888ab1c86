import { expect, test } from "vitest"
import { compactsAt, mustCompact, WINDOW_LIMITS } from "../../src/runner/window/threshold.ts"

test.each([
  [8_192, 5_734],
  [32_768, 22_768],
  // Between two points, what is kept free grows evenly.
  [49_152, 30_652],
  [65_536, 38_536],
  [98_304, 69_804],
  [131_072, 101_072],
  [140_536, 100_536],
  [200_000, 150_000],
  [1_000_000, 850_000],
])("a window of %i tokens is compacted at %i, and not one token earlier", (window, at) => {
  expect(compactsAt(window)).toBe(at)
  expect(mustCompact(at, window)).toBe(true)
  expect(mustCompact(at - 1, window)).toBe(false)
})

test("an unknown window is never compacted", () => {
  expect(mustCompact(10_000_000, undefined)).toBe(false)
})

test("no tokens never fire, and a window without room never does", () => {
  expect(mustCompact(0, 8_192)).toBe(false)
  expect(compactsAt(0)).toBeUndefined()
  expect(compactsAt(1)).toBeUndefined()
  expect(compactsAt(2)).toBe(1)
})

test("a custom ratio fires earlier", () => {
  expect(compactsAt(1_000_000, { ...WINDOW_LIMITS, ratio: 0.5 })).toBe(500_000)
})

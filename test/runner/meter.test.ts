// What a session has cost: what was not reported counts nothing, and without a price no cost is known.
import { expect, test } from "vitest"
import { makeMeter } from "../../src/runner/window/meter.ts"

const price = { input: 1_000_000, output: 2_000_000 }

test("calls add up; what a provider does not report counts nothing", () => {
  const meter = makeMeter()
  meter.add({ input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }, price)
  meter.add({}, price)
  meter.add({ output: 10 }, price)
  expect(meter.totals()).toMatchObject({ input: 1, output: 12, cacheRead: 3, cacheWrite: 4, saved: 0 })
})

test("after one call without a price, the cost of the session is unknown", () => {
  const meter = makeMeter()
  meter.add({ input: 1, output: 2 }, price)
  expect(meter.totals().cost).toBe(5)
  meter.add({ input: 1 }, undefined)
  meter.add({ input: 1 }, price)
  expect(meter.totals().cost).toBeUndefined()
})

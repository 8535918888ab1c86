// What a session has cost: what was not reported counts nothing, and models without a price are named.
import { expect, test } from "vitest"
import { makeMeter } from "../../src/runner/window/meter.ts"

const model = { id: "test/priced", price: { input: 1_000_000, output: 2_000_000 } }

test("calls add up; what a provider does not report counts nothing", () => {
  const meter = makeMeter()
  meter.add({ input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }, model)
  meter.add({}, model)
  meter.add({ output: 10 }, model)
  expect(meter.totals()).toMatchObject({ input: 1, output: 12, cacheRead: 3, cacheWrite: 4, saved: 0 })
})

test("calls without a price are left out of the cost, and the sum names their model", () => {
  const meter = makeMeter()
  meter.add({ input: 1 }, { id: "test/unknown" })
  expect(meter.totals()).toMatchObject({ cost: undefined, unpriced: ["test/unknown"] })
  meter.add({ input: 1, output: 2 }, model)
  meter.add({ input: 1 }, { id: "test/unknown" })
  expect(meter.totals()).toMatchObject({ input: 3, cost: 5, unpriced: ["test/unknown"] })
})

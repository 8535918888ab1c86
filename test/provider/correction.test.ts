import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { learn, NO_CORRECTION } from "../../src/provider/correction.ts"
import { addUsage, costOf, sentTokens, tokensOf } from "../../src/provider/port/usage.ts"

describe("learning from reports", () => {
  test("the first report sets the factor, later ones move it slowly", () => {
    const first = learn(NO_CORRECTION, 1_000, 1_300)
    expect(first).toEqual({ factor: 1.3, samples: 1 })
    const later = Array.from({ length: 20 }).reduce<typeof first>(
      (correction) => learn(correction, 1_000, 1_300),
      first,
    )
    expect(learn(later, 1_000, 2_300).factor).toBeCloseTo(1.5)
  })

  test("small and senseless reports teach nothing, extreme ones are bounded", () => {
    expect(learn(NO_CORRECTION, 10, 1_000)).toEqual(NO_CORRECTION)
    expect(learn(NO_CORRECTION, 1_000, 0)).toEqual(NO_CORRECTION)
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1e6), fc.nat(1e9))), (reports) => {
        const { factor } = reports.reduce(
          (correction, [estimated, reported]) => learn(correction, estimated, reported),
          NO_CORRECTION,
        )
        return factor >= 0.25 && factor <= 4
      }),
    )
  })
})

describe("usage", () => {
  const usage = { input: 100, output: 50, cacheRead: 1_000, cacheWrite: 200 }

  test("adds up", () => {
    expect(sentTokens(usage)).toBe(1_300)
    expect(tokensOf(usage)).toBe(1_350)
    expect(addUsage(usage, { output: 1 })).toEqual({ ...usage, output: 51 })
    expect(addUsage({}, { input: 1 })).toEqual({ input: 1 })
  })

  test("costs what its parts cost", () => {
    expect(costOf(usage, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 })).toBeCloseTo(
      0.0003 + 0.00075 + 0.0003 + 0.00075,
    )
    expect(costOf({ cacheRead: 1_000_000 }, { input: 3, output: 15 })).toBe(3)
  })
})

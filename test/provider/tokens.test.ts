import * as fc from "fast-check"
import { beforeAll, describe, expect, test } from "vitest"
import type { ModelMessage } from "../../src/provider/port.ts"
import { type CountTokens, estimateTokens, learn, loadCounter, NO_CORRECTION } from "../../src/provider/tokens.ts"
import { addUsage, costOf, sentTokens, tokensOf } from "../../src/provider/usage.ts"

let count: CountTokens
beforeAll(async () => {
  count = await loadCounter()
})

describe("counting", () => {
  test("text that looks like a special token is text", () => {
    expect(count("<|endoftext|>")).toBeGreaterThan(1)
    expect(count("")).toBe(0)
  })

  test("long text is counted in slices, near to what it is as a whole", () => {
    const text = "The quick brown fox jumps over the lazy dog. ".repeat(500)
    expect(count(text)).toBeGreaterThan(4_900)
    expect(count(text)).toBeLessThan(5_200)
  })

  test("any text is counted, also half a character and a megabyte without a space", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 5_000 }), (text) => count(text) >= 0),
      { numRuns: 50 },
    )
    expect(count("\ud83d")).toBeGreaterThan(0)
    expect(count("a".repeat(1_000_000))).toBeGreaterThan(1_000)
  })

  test("every kind of part counts", () => {
    const messages: ModelMessage[] = [
      { role: "user", content: [{ type: "image", mediaType: "image/png", data: "A".repeat(100_000) }] },
      { role: "assistant", content: [{ type: "tool-call", call: "c", name: "Read", input: { path: "a.txt" } }] },
      { role: "tool", content: [{ type: "tool-result", call: "c", output: "hello world" }] },
    ]
    expect(estimateTokens(messages, count)).toBeGreaterThan(1_500)
    expect(estimateTokens(messages, count)).toBeLessThan(1_600)
  })
})

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

  test("the correction applies to what is estimated", () => {
    const messages: ModelMessage[] = [{ role: "user", content: [{ type: "text", text: "hello world ".repeat(100) }] }]
    const plain = estimateTokens(messages, count)
    expect(estimateTokens(messages, count, { factor: 2, samples: 1 })).toBe(plain * 2)
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

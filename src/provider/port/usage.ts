// Token counts that mean the same for every provider, and what they cost.
import type { Usage } from "../../model/record/record.ts"
import type { Spending } from "../../model/spending.ts"
import type { Price } from "./port.ts"

/**
 * `input` excludes what was read from or written to the prompt cache, so the parts add up. The sum is how much of the
 * window a request and its answer took.
 */
export function tokensOf(usage: Usage): number {
  return sentTokens(usage) + (usage.output ?? 0)
}

/** How many tokens were sent, cached or not. */
export function sentTokens(usage: Usage): number {
  return (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0)
}

export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {}
  for (const field of ["input", "output", "cacheRead", "cacheWrite"] as const) {
    if (a[field] !== undefined || b[field] !== undefined) sum[field] = (a[field] ?? 0) + (b[field] ?? 0)
  }
  return sum
}

/** In dollars. An unknown cache price is assumed to be the input price. */
export function costOf(usage: Usage, price: Price): number {
  const read = (usage.cacheRead ?? 0) * (price.cacheRead ?? price.input)
  const written = (usage.cacheWrite ?? 0) * (price.cacheWrite ?? price.input)
  return ((usage.input ?? 0) * price.input + (usage.output ?? 0) * price.output + read + written) / 1_000_000
}

export function spent(usage: Usage, model: string, price: Price | undefined): Spending {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage
  const money = price === undefined ? { cost: null, unpriced: [model] } : { cost: costOf(usage, price), unpriced: [] }
  return { requests: 1, input, output, cacheRead, cacheWrite, ...money }
}

// What a number of requests cost: tokens by kind, and money if every price is known.
import type { Usage } from "../../model/record/record.ts"
import type { Price } from "./port.ts"
import { costOf } from "./usage.ts"

export interface Spending {
  requests: number
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** In dollars; null if the price of a model is unknown. */
  cost: number | null
}

export const NOTHING_SPENT: Spending = { requests: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 }

export function spent(usage: Usage, price: Price | undefined): Spending {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage
  return { requests: 1, input, output, cacheRead, cacheWrite, cost: price === undefined ? null : costOf(usage, price) }
}

export function addSpending(a: Spending, b: Spending): Spending {
  return {
    requests: a.requests + b.requests,
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
  }
}

// What a number of requests cost: tokens by kind, and money as far as prices are known.

export interface Spending {
  requests: number
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** In dollars, of the models with a known price; null if there are requests, but no price is known for any. */
  cost: number | null
  /** The models that `cost` leaves out. */
  unpriced: readonly string[]
}

export const NOTHING_SPENT: Spending = {
  requests: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cost: 0,
  unpriced: [],
}

export function addSpending(a: Spending, b: Spending): Spending {
  return {
    requests: a.requests + b.requests,
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    cost: a.requests === 0 ? b.cost : b.requests === 0 ? a.cost : addCosts(a.cost, b.cost),
    unpriced: [...new Set([...a.unpriced, ...b.unpriced])],
  }
}

function addCosts(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0)
}

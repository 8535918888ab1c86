// What a session has cost, and what backtracking has saved.
import type { Usage } from "../../model/record/record.ts"
import type { Totals } from "../../protocol/shapes.ts"
import type { Price } from "../../provider/port/port.ts"
import { costOf } from "../../provider/port/usage.ts"

export interface Meter {
  /** One finished model call. */
  add(usage: Usage, price: Price | undefined): void
  /** The agent dropped this many tokens from its path: no later step of this turn sends them. */
  dropped(tokens: number): void
  totals(): Totals
}

export function makeMeter(): Meter {
  const totals: Totals = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, saved: 0 }
  let spared = 0
  return {
    add(usage, price) {
      totals.input += usage.input ?? 0
      totals.output += usage.output ?? 0
      totals.cacheRead += usage.cacheRead ?? 0
      totals.cacheWrite += usage.cacheWrite ?? 0
      totals.saved += spared
      totals.cost = price === undefined || totals.cost === undefined ? undefined : totals.cost + costOf(usage, price)
    },
    dropped(tokens) {
      spared += tokens
    },
    totals: () => ({ ...totals }),
  }
}

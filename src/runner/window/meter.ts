// What a session has cost, and what backtracking has saved.
import type { Usage } from "../../model/record/record.ts"
import { addSpending, NOTHING_SPENT, type Spending } from "../../model/spending.ts"
import type { Totals } from "../../protocol/shapes.ts"
import type { Price } from "../../provider/port/port.ts"
import { spent } from "../../provider/port/usage.ts"

export interface Meter {
  /** One finished model call. */
  add(usage: Usage, model: { id: string; price?: Price | undefined }): void
  /** The agent dropped this many tokens from its path: no later step of this turn sends them. */
  dropped(tokens: number): void
  totals(): Totals
}

export function totalsOf({ input, output, cacheRead, cacheWrite, cost, unpriced }: Spending, saved: number): Totals {
  const known = { input, output, cacheRead, cacheWrite, cost: cost ?? undefined, saved }
  return unpriced.length === 0 ? known : { ...known, unpriced }
}

export function makeMeter(): Meter {
  let saved = 0
  let spared = 0
  let spending = NOTHING_SPENT
  return {
    add(usage, { id, price }) {
      spending = addSpending(spending, spent(usage, id, price))
      saved += spared
    },
    dropped(tokens) {
      spared += tokens
    },
    totals: () => totalsOf(spending, saved),
  }
}

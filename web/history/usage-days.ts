// The days of a chart and of a heatmap, from rows by day and agent.
import type { Spending } from "../../src/model/spending.ts"
import type { UsageRow } from "../../src/protocol/library.ts"

export interface ChartDay {
  day: string
  /** Money, or tokens if no price is known. */
  size: number
  cost: number
  tokens: number
  /** From the bottom up. */
  parts: { agent: string; size: number }[]
}

const DAY = 24 * 60 * 60 * 1000

export function tokensIn({ input, output, cacheRead, cacheWrite }: Spending): number {
  return input + output + cacheRead + cacheWrite
}

/** One for each of the last days, those without requests too. `today`: such as 2026-11-18. */
export function chartDays(rows: readonly UsageRow[], today: string, many: number, by: "cost" | "tokens"): ChartDay[] {
  const days = new Map<string, ChartDay>()
  const last = Date.parse(`${today}T00:00:00Z`)
  for (let back = many - 1; back >= 0; back--) {
    const day = new Date(last - back * DAY).toISOString().slice(0, 10)
    days.set(day, { day, size: 0, cost: 0, tokens: 0, parts: [] })
  }
  for (const row of rows) {
    const at = days.get(row.day ?? "")
    if (at === undefined) continue
    const size = by === "cost" ? (row.cost ?? 0) : tokensIn(row)
    at.size += size
    at.cost += row.cost ?? 0
    at.tokens += tokensIn(row)
    at.parts.push({ agent: row.agent ?? "", size })
  }
  // The same agent at the same place in every bar.
  for (const { parts } of days.values()) parts.sort((a, b) => (a.agent < b.agent ? -1 : 1))
  return [...days.values()]
}

/** How strong a day's colour is, from 0 to 4: quarters of the days with requests. */
export function levels(days: readonly ChartDay[]): number[] {
  const used = days.flatMap(({ size }) => (size > 0 ? [size] : [])).sort((a, b) => a - b)
  const limits = [0.25, 0.5, 0.75].map((share) => used[Math.floor(used.length * share)] ?? 0)
  return days.map(({ size }) => (size === 0 ? 0 : 1 + limits.filter((limit) => size > limit).length))
}

export function money(cost: number | null): string {
  return cost === null ? "not known" : `$${cost.toFixed(2)}`
}

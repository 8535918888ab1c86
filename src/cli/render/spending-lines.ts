// A table of what was spent, one line each, and the sum.
import type { Spending } from "../../model/spending.ts"
import { thousands } from "../../model/text/amounts.ts"
import { clip, pad, sanitiseLine, widthOf } from "../../model/text/sanitise.ts"

export const NOTE_UNKNOWN_PRICE =
  "A price is missing. Set it in config.json: models, then PROVIDER/NAME, then price: {input, output} in dollars per million tokens."

const HEADINGS = ["requests", "sent", "cached", "answered", "cost"]

export interface SpendingTable {
  /** What each line is for: one column, or several. */
  rows: readonly (Spending & { names: readonly string[] })[]
  /** Undefined: the rows overlap. */
  sum: Spending | undefined
  /** Digits of a dollar. */
  digits: number
  width: number
}

/**
 * Contract: at most `width` columns; names are clipped first. `sent` is everything that went to the model, `cached` the part that was
 * read from the provider's cache.
 */
export function spendingLines({ rows, sum, digits, width }: SpendingTable): string[] {
  const columns = rows[0]?.names.length ?? 1
  const lines = rows.map((each) => [...each.names.map(sanitiseLine), ...cells(each, digits)])
  if (rows.length > 1 && sum !== undefined)
    lines.push(["all", ...Array.from({ length: columns - 1 }, () => ""), ...cells(sum, digits)])
  const table = [[...Array.from({ length: columns }, () => ""), ...HEADINGS], ...lines]
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => widthOf(row[column] ?? ""))))
  const numbers = widths.slice(columns).reduce((room, each) => room + each + 2, 0)
  const room = Math.max(4, Math.floor((width - numbers - 2 * (columns - 1)) / columns))
  const names = widths.slice(0, columns)
  const spare = names.reduce((free, each) => free + Math.max(0, room - each), 0)
  const shown = table.map((row) =>
    row
      .map((cell, column) => {
        if (column >= columns) return pad(cell, widths[column] ?? 0, "left")
        const wide = Math.min(names[column] ?? 0, room + spare)
        return pad(clip(cell, wide), wide)
      })
      .join("  ")
      .trimEnd(),
  )
  if (sum === undefined || sum.unpriced.length === 0 || sum.cost === null) return shown
  return [...shown, clip(`The sum is without ${sum.unpriced.map(sanitiseLine).join(", ")}.`, width)]
}

function cells({ requests, input, output, cacheRead, cacheWrite, cost }: Spending, digits: number): string[] {
  const sent = input + cacheRead + cacheWrite
  const money = cost === null ? "?" : `$${cost.toFixed(digits)}`
  return [...[requests, sent, cacheRead, output].map(thousands), money]
}

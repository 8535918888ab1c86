// A table of what models cost, one line each, and the sum.
import { thousands } from "../../model/text/amounts.ts"
import { clip, pad, sanitiseLine, widthOf } from "../../model/text/sanitise.ts"
import type { UsageAnswer } from "../../protocol/library.ts"

export const NOTE_UNKNOWN_PRICE =
  "A price is missing. Set it in config.json: models, then PROVIDER/NAME, then price: {input, output} in dollars per million tokens."

const HEADINGS = ["", "requests", "sent", "cached", "answered", "cost"]

/** Contract: at most `width` columns; the names of models are clipped first. */
export function spendingLines({ models, ...sum }: UsageAnswer, width: number): string[] {
  if (sum.requests === 0) return ["It has no recorded requests."]
  const rows = models.map((each) => [sanitiseLine(each.model), ...cells(each)])
  if (rows.length > 1) rows.push(["all", ...cells({ model: "all", ...sum })])
  const widths = HEADINGS.map((heading, column) =>
    Math.max(widthOf(heading), ...rows.map((row) => widthOf(row[column] ?? ""))),
  )
  const numbers = widths.slice(1).reduce((room, each) => room + each + 2, 0)
  const name = Math.max(4, Math.min(widths[0] ?? 0, width - numbers))
  const table = [HEADINGS, ...rows].map(([first = "", ...rest]) => {
    const columns = rest.map((cell, i) => pad(cell, widths[i + 1] ?? 0, "left"))
    return [pad(clip(first, name), name), ...columns].join("  ")
  })
  if (sum.unpriced.length === 0 || sum.cost === null) return table
  return [...table, clip(`The sum is without ${sum.unpriced.map(sanitiseLine).join(", ")}.`, width)]
}

/** `sent` is everything that went to the model, `cached` the part that was read from the provider's cache. */
function cells({ requests, input, output, cacheRead, cacheWrite, cost }: UsageAnswer["models"][number]): string[] {
  const sent = input + cacheRead + cacheWrite
  const money = cost === null ? "?" : `$${cost.toFixed(4)}`
  return [...[requests, sent, cacheRead, output].map(thousands), money]
}

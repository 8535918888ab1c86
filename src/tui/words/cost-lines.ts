// What /cost prints.
import { costWords, thousands } from "../../model/text/amounts.ts"
import { clip, pad } from "../../model/text/sanitise.ts"
import type { Status } from "../../protocol/shapes.ts"
import type { Theme } from "../terminal/theme.ts"

export function costLines({ totals, context }: Status, theme: Theme, width: number): string[] {
  const rows = [
    ["read by the model", thousands(totals.input)],
    ["read from its cache", thousands(totals.cacheRead)],
    ["written to its cache", thousands(totals.cacheWrite)],
    ["written by the model", thousands(totals.output)],
    ["saved by backtracking", thousands(totals.saved)],
    [
      "in the context now",
      `${thousands(context.used)}${context.window === undefined ? "" : ` of ${thousands(context.window)}`}`,
    ],
    ["cost", costWords(totals.cost, totals.unpriced)],
  ] as const
  return [
    theme.strong("Tokens in this session"),
    ...rows.map(([what, value]) => clip(`  ${pad(what, 22)} ${value}`, width)),
  ]
}

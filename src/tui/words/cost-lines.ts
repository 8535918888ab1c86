// What /cost prints.
import { clip, pad } from "../../model/text/width.ts"
import type { Status } from "../../protocol/shapes.ts"
import type { Theme } from "../terminal/theme.ts"

export function costLines({ totals, context }: Status, theme: Theme, width: number): string[] {
  const number = (tokens: number) => tokens.toLocaleString("en-US")
  const rows = [
    ["read by the model", number(totals.input)],
    ["from its cache", number(totals.cacheRead)],
    ["into its cache", number(totals.cacheWrite)],
    ["written by the model", number(totals.output)],
    ["saved by backtracking", number(totals.saved)],
    [
      "in the context now",
      `${number(context.used)}${context.window === undefined ? "" : ` of ${number(context.window)}`}`,
    ],
    ["cost", totals.cost === undefined ? "not known" : `$${totals.cost.toFixed(4)}`],
  ] as const
  return [
    theme.strong("Tokens of this session"),
    ...rows.map(([what, value]) => clip(`  ${pad(what, 22)} ${value}`, width)),
  ]
}

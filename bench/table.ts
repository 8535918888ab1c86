// Figures as rows of text: for the terminal, and as Markdown.
import { type Figure, ratioOf, type Unit, verdictOn } from "./figure.ts"

export const COLUMNS = ["figure", "data", "ours", "floor", "ratio", "limit", ""] as const
const LEFT = 2

export function rowOf(figure: Figure): string[] {
  const { ours, floor, unit } = figure
  return [
    figure.figure,
    figure.data,
    amount(ours, unit),
    amount(floor, unit),
    `${number(ratioOf(figure))} ×`,
    limitOf(figure),
    verdictOn(figure),
  ]
}

function limitOf({ limit, goal, under, unit }: Figure): string {
  if (limit !== undefined) return goal === undefined ? `≤ ${limit} ×` : `≤ ${limit} × (goal ${goal})`
  return under === undefined ? "" : `< ${under} ${unit}`
}

function amount(value: number, unit: Unit): string {
  if (unit === "µs" && value >= 1000) return amount(value / 1000, "ms")
  if (unit === "ms" && value >= 1000) return `${number(value / 1000)} s`
  return `${number(value)} ${unit}`
}

function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

const WIDTHS = [46, 34, 9, 9, 8, 16, 4]

/** One line, as soon as the figure is known. */
export function printRow(cells: readonly string[]): string {
  return cells
    .map((cell, i) =>
      i < LEFT || i === cells.length - 1 ? cell.padEnd(WIDTHS[i] ?? 0) : cell.padStart(WIDTHS[i] ?? 0),
    )
    .join("  ")
    .trimEnd()
}

export function markdownTable(figures: readonly Figure[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`
  const rule = COLUMNS.map((_, i) => (i < LEFT || i === COLUMNS.length - 1 ? "---" : "---:"))
  return [COLUMNS, rule, ...figures.map(rowOf)].map(line).join("\n")
}

// A list with a preview of the row under its cursor: beside it on a wide screen, otherwise below.
import type { Theme } from "../../terminal/theme.ts"
import { rule } from "./frame.ts"

export interface Previewed<Value> {
  /** Contract: every line is as wide as the list. */
  list(width: number, height: number): { lines: string[]; value: Value }
  preview(value: Value, width: number, height: number): string[]
}

/** From this width on, a preview has room beside the list. */
const WIDE = 110
/** Below this height there is no room for a preview. */
const LOWEST = 9

export function withPreview<Value>(theme: Theme, width: number, height: number, parts: Previewed<Value>): string[] {
  if (width >= WIDE) return beside(theme, width, height, parts)
  if (height < LOWEST) return parts.list(width, height).lines
  const room = Math.min(8, Math.floor(height / 3))
  const { lines, value } = parts.list(width, height - room - 1)
  while (lines.length < height - room - 1) lines.push("")
  return [...lines, rule(theme, width), ...parts.preview(value, width, room)]
}

function beside<Value>(theme: Theme, width: number, height: number, parts: Previewed<Value>): string[] {
  const left = Math.floor(width * 0.58)
  const { lines, value } = parts.list(left, height)
  const preview = parts.preview(value, width - left - 3, height)
  const rows: string[] = []
  for (let i = 0; i < height; i++) rows.push(`${lines[i] ?? " ".repeat(left)} ${theme.quiet("│")} ${preview[i] ?? ""}`)
  return rows
}

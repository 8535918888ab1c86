// A long table that is still growing: its first rows fix its columns, and from then on each row is drawn for good.
import { styledWidth } from "../terminal/styled-width.ts"
import type { Painter, Theme } from "../terminal/theme.ts"
import { inlineLines, markdownLines } from "./markdown.ts"

/** The widths of its columns. */
export type StreamTable = readonly number[]

/** How many rows a table has before its columns are fixed. */
const ROWS = 8
/** Extra width for longer cells to come, if there is room. */
const SPARE = 4
const ROW = /^ {0,3}\|/
const DELIMITER = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/

/**
 * The table that this whole text is, once it is long: how much of the text is drawn, and its lines without the last.
 */
export function startTable(
  text: string,
  width: number,
  theme: Theme,
): { length: number; lines: string[]; table: StreamTable } | undefined {
  const whole = text.slice(0, text.lastIndexOf("\n") + 1)
  const [header = "", delimiter = "", ...rows] = whole.trim().split("\n")
  if (rows.length < ROWS || !DELIMITER.test(delimiter) || ![header, ...rows].every(isTableRow)) return undefined
  const between = markdownLines(whole, width, theme).find((line) => line.startsWith("├─"))
  // On a narrow screen it is not drawn as a table.
  if (between === undefined) return undefined
  const natural = between.split("┼").map((part) => part.length - 2)
  const spare = Math.min(SPARE, Math.floor((width - between.length) / natural.length))
  const table = natural.map((column) => column + Math.max(0, spare))
  const top = border(table, ["┌─", "─┬─", "─┐"])
  const [, ...heading] = tableRow(table, header, width, theme, theme.strong)
  const lines = [top, ...heading, ...rows.flatMap((row) => tableRow(table, row, width, theme))]
  return { length: whole.length, lines, table }
}

export function isTableRow(line: string): boolean {
  return ROW.test(line)
}

/** One more row, and the line above it. */
export function tableRow(
  table: StreamTable,
  line: string,
  width: number,
  theme: Theme,
  paint: Painter = (text) => text,
): string[] {
  const columns = fitted(table, width)
  const cells = cellsOf(line)
  const drawn = columns.map((column, i) => inlineLines(cells[i] ?? "", column, theme))
  const height = Math.max(1, ...drawn.map((lines) => lines.length))
  const rows = Array.from({ length: height }, (_, at) =>
    columns.map((column, i) => paint(padded(drawn[i]?.[at] ?? "", column))).join(" │ "),
  )
  return [border(columns, ["├─", "─┼─", "─┤"]), ...rows.map((row) => `│ ${row} │`)]
}

export function tableEnd(table: StreamTable, width: number): string {
  return border(fitted(table, width), ["└─", "─┴─", "─┘"])
}

function border(columns: StreamTable, [left, between, right]: readonly [string, string, string]): string {
  return `${left}${columns.map((column) => "─".repeat(column)).join(between)}${right}`
}

/** Narrower if the screen has become narrower. */
function fitted(table: StreamTable, width: number): StreamTable {
  const room = width - 3 * table.length - 1
  const all = table.reduce((sum, column) => sum + column, 0)
  return table.map((column) => (all <= room ? column : Math.max(1, Math.floor((column * room) / all))))
}

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\||(?<!\\)\|$/g, "")
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"))
}

function padded(text: string, column: number): string {
  return text + " ".repeat(Math.max(0, column - styledWidth(text)))
}

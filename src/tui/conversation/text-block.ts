// The agent's words as they stream in: what can no longer change goes to the scrollback, the rest stays live.
import { styledWidth } from "../terminal/styled-width.ts"
import type { Painter, Theme } from "../terminal/theme.ts"
import type { Block } from "./block.ts"
import { inlineLines, markdownLines } from "./markdown.ts"
import { type StreamCut, streamCut } from "./stream-cut.ts"

export interface TextBlock extends Block {
  append(text: string): void
  /** It is void: what is not in the scrollback yet will never be. */
  drop(): void
}

export function textBlock(theme: Theme, text = ""): TextBlock {
  let rest = text
  let ended = false
  /** About `rest`: the length of what was prepended to draw it, and how many lines of that are not shown. */
  let before = { length: 0, lines: 0 }
  /** Whether a blank line precedes what follows. */
  let gap = false
  /** The table that `rest` continues. */
  let table: StreamTable | undefined
  let looked = -1
  let drawn: { text: string; width: number; lines: string[] } | undefined

  function render(part: string, width: number): string[] {
    const lines = markdownLines(part, width, theme).slice(before.lines)
    return gap && lines.length > 0 ? ["", ...lines] : lines
  }

  function take(cut: StreamCut, width: number): string[] {
    const lines = render(rest.slice(0, cut.length) + cut.closing, width)
    const shown = cut.closes === 0 ? lines : lines.slice(0, -cut.closes)
    const { from, to } = cut.renumbered ?? { from: 0, to: "" }
    rest = cut.opening + to + rest.slice(cut.length + from)
    before = { length: cut.opening.length, lines: cut.opens }
    gap = !cut.continues && (gap || lines.length > 0)
    drawn = undefined
    return shown
  }

  function openTable(width: number): string[] {
    const found = before.length > 0 ? undefined : startTable(rest, width, theme)
    if (found === undefined) return []
    table = found.table
    rest = rest.slice(found.length)
    const lines = gap ? ["", ...found.lines] : found.lines
    gap = false
    drawn = undefined
    return lines
  }

  /** The complete rows; and the end of the table, once something else follows. */
  function takeRows(open: StreamTable, width: number): string[] {
    const lines: string[] = []
    while (rest !== "") {
      const [line = "", ...more] = rest.split("\n")
      const isWhole = more.length > 0 || ended
      if (isWhole && isTableRow(line)) lines.push(...tableRow(open, line, width, theme))
      else if (isWhole || /^ {0,3}[^ |]/.test(line)) break
      else return lines
      rest = more.join("\n")
    }
    if (rest === "" && !ended) return lines
    table = undefined
    gap = true
    looked = -1
    drawn = undefined
    return [...lines, tableEnd(open, width)]
  }

  function liveLines(width: number): string[] {
    if (table === undefined) return render(rest, width)
    const row = isTableRow(rest) ? tableRow(table, rest, width, theme) : []
    return [...row, tableEnd(table, width)]
  }

  return {
    kind: "text",
    get done() {
      return ended && rest === "" && table === undefined
    },
    append(more) {
      rest += more
    },
    settle(width) {
      const rows = table === undefined ? [] : takeRows(table, width)
      if (ended) {
        const lines = render(rest, width)
        rest = ""
        return [...rows, ...lines]
      }
      if (table !== undefined || looked === rest.length) return rows
      const cut = streamCut(rest, before.length)
      const lines = cut === undefined ? openTable(width) : take(cut, width)
      looked = rest.length
      return [...rows, ...lines]
    },
    live(width) {
      if (drawn?.text !== rest || drawn.width !== width) drawn = { text: rest, width, lines: liveLines(width) }
      return drawn.lines
    },
    finish() {
      ended = true
    },
    drop() {
      ended = true
      rest = ""
      table = undefined
    },
  }
}

/** The widths of its columns. */
type StreamTable = readonly number[]

/** How many rows a table has before its columns are fixed. */
const ROWS = 8
/** Extra width for longer cells to come, if there is room. */
const SPARE = 4
const ROW = /^ {0,3}\|/
const DELIMITER = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/

/**
 * A long table that is still growing: its first rows fix its columns, and from then on each row is drawn for good. The
 * table that this whole text is, once it is long: how much of the text is drawn, and its lines without the last.
 */
function startTable(
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

function isTableRow(line: string): boolean {
  return ROW.test(line)
}

/** One more row, and the line above it. */
function tableRow(
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

function tableEnd(table: StreamTable, width: number): string {
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

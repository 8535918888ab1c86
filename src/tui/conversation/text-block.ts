// The agent's words as they stream in: what can no longer change goes to the scrollback, the rest stays live.
import type { Theme } from "../terminal/theme.ts"
import type { Block } from "./block.ts"
import { markdownLines } from "./markdown.ts"
import { type StreamCut, streamCut } from "./stream-cut.ts"
import { isTableRow, type StreamTable, startTable, tableEnd, tableRow } from "./stream-table.ts"

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

// The agent's words as they stream in: what cannot change any more goes to the scrollback, the rest stays live.
import type { Theme } from "../terminal/theme.ts"
import type { Block } from "./block.ts"
import { markdownLines } from "./markdown.ts"
import { type StreamCut, streamCut } from "./stream-cut.ts"

export interface TextBlock extends Block {
  append(text: string): void
  /** It is void: what is not in the scrollback yet will never be. */
  drop(): void
}

export function textBlock(theme: Theme, text = ""): TextBlock {
  let rest = text
  let ended = false
  /** Of `rest`: what was written before it to draw it, and how many lines of that are not shown. */
  let before = { length: 0, lines: 0 }
  /** A blank line stands before what comes next. */
  let gap = false
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

  return {
    kind: "text",
    get done() {
      return ended && rest === ""
    },
    append(more) {
      rest += more
    },
    settle(width) {
      if (ended) {
        const lines = render(rest, width)
        rest = ""
        return lines
      }
      if (looked === rest.length) return []
      const cut = streamCut(rest, before.length)
      const lines = cut === undefined ? [] : take(cut, width)
      looked = rest.length
      return lines
    },
    live(width) {
      if (drawn?.text !== rest || drawn.width !== width) drawn = { text: rest, width, lines: render(rest, width) }
      return drawn.lines
    },
    finish() {
      ended = true
    },
    drop() {
      ended = true
      rest = ""
    },
  }
}

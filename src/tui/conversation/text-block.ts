// The agent's words as they stream in: finished paragraphs go to the scrollback, the last one stays live.
import type { Theme } from "../theme.ts"
import type { Block } from "./block.ts"
import { markdownLines, settledLength } from "./markdown.ts"

export interface TextBlock extends Block {
  append(text: string): void
  /** It is void: what is not in the scrollback yet will never be. */
  drop(): void
}

/** A code block that is still open and longer than this gives its first lines away. */
const LONG_BLOCK = 4_000
const OPEN_FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*\n/

export function textBlock(theme: Theme, text = ""): TextBlock {
  let rest = text
  let ended = false
  /** What the next lines follow: nothing, a paragraph, or the first part of the same code block. */
  let after: "nothing" | "paragraph" | "code" = "nothing"
  let drawn: { text: string; width: number; lines: string[] } | undefined

  function render(part: string, width: number): string[] {
    const lines = markdownLines(part, width, theme)
    if (after === "code") return lines.slice(1)
    return after === "nothing" || lines.length === 0 ? lines : ["", ...lines]
  }

  function take(length: number, width: number): string[] {
    const lines = render(rest.slice(0, length), width)
    rest = rest.slice(length)
    drawn = undefined
    if (lines.length > 0) after = "paragraph"
    return lines
  }

  /** The first lines of a long open code block: its fence is written again before the rest, and not shown again. */
  function takeCode(width: number): string[] {
    const fence = OPEN_FENCE.exec(rest)
    const cut = rest.lastIndexOf("\n", rest.length - LONG_BLOCK / 2)
    if (fence === null || cut <= fence[0].length) return []
    const lines = render(`${rest.slice(0, cut)}\n${fence[1]}`, width).slice(0, -1)
    rest = fence[0] + rest.slice(cut + 1)
    drawn = undefined
    after = "code"
    return lines
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
      if (ended) return take(rest.length, width)
      const length = settledLength(rest)
      if (length > 0) return take(length, width)
      return rest.length > LONG_BLOCK ? takeCode(width) : []
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

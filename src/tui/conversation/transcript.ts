// The blocks that are not in the scrollback yet, oldest first. A block settles only after all before it have.
import type { Row } from "../../history/tree/tree.ts"
import { withoutStyles } from "../terminal/styled-width.ts"
import type { Theme } from "../terminal/theme.ts"
import type { Block } from "./block.ts"

/** A line of the scrollback, and where it is in the log: the first row that may contain it. */
export interface SettledLine {
  text: string
  row: Row
}

export interface Transcript {
  add<Kind extends Block>(block: Kind, row: Row): Kind
  /** Stays below everything else until it ends; returns how to put it in its place then. */
  pin(block: Block): (row: Row) => void
  /** Lines for the scrollback. `more`: there are too many for one frame, and the rest follows with the next. */
  settle(width: number): { lines: SettledLine[]; more: boolean }
  /** The last `room` lines of what may still change. */
  live(width: number, room: number): string[]
  finish(): void
  /** Dims what follows this row: it was left behind. */
  dimAfter(row: Row): void
}

interface Placed {
  block: Block
  row: Row
  dim: boolean
  started: boolean
}

/** In milliseconds: resuming a long conversation must not keep a key waiting. */
const FRAME_TIME = 8

export function makeTranscript(theme: Theme, now: () => number): Transcript {
  const placed: Placed[] = []
  const pinned = new Set<Block>()
  let last: { kind: string; blank: boolean } | undefined

  /** A blank line between two things, but none at the very top or between blocks of the same kind. */
  function spaced(block: Block, before: typeof last): string[] {
    if (before === undefined || before.blank) return []
    return before.kind === block.kind && TOGETHER.has(block.kind) ? [] : [""]
  }

  const drawn = ({ dim }: Placed, lines: string[]) => (dim ? lines.map((line) => dimmed(line, theme)) : lines)

  return {
    add(block, row) {
      placed.push({ block, row, dim: false, started: false })
      return block
    },
    pin(block) {
      pinned.add(block)
      return (row) => {
        if (pinned.delete(block)) placed.push({ block, row, dim: false, started: false })
      }
    },
    settle(width) {
      const out: SettledLine[] = []
      const start = now()
      for (;;) {
        const first = placed[0]
        if (first === undefined) return { lines: out, more: false }
        if (now() - start > FRAME_TIME) return { lines: out, more: true }
        const { block, row } = first
        const lines = drawn(first, block.settle(width))
        if (lines.length > 0) {
          if (!first.started) for (const text of spaced(block, last)) out.push({ text, row })
          first.started = true
          for (const text of lines) out.push({ text, row })
          last = { kind: block.kind, blank: lines.at(-1) === "" }
        }
        if (!block.done) return { lines: out, more: false }
        placed.shift()
      }
    },
    live(width, room) {
      const out: string[] = []
      let before = last
      const below = [...pinned].map((block): Placed => ({ block, row: 0, dim: false, started: false }))
      for (const each of [...placed, ...below]) {
        const { block } = each
        const lines = drawn(each, block.live(width))
        if (lines.length === 0) continue
        if (!each.started) out.push(...spaced(block, before))
        out.push(...lines)
        before = { kind: block.kind, blank: lines.at(-1) === "" }
      }
      return room <= 0 ? [] : out.slice(-room)
    },
    finish() {
      for (const { block } of placed) block.finish()
      for (const block of pinned) placed.push({ block, row: 0, dim: false, started: false })
      for (const block of pinned) block.finish()
      pinned.clear()
    },
    dimAfter(row) {
      for (const each of placed) if (each.row > row) each.dim = true
    },
  }
}

/** What was left behind can still be read. */
export function dimmed(line: string, theme: Theme): string {
  return line === "" ? "" : theme.quiet(withoutStyles(line))
}

const TOGETHER: ReadonlySet<string> = new Set(["tool", "notice"])

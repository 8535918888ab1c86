// The blocks that are not in the scrollback yet, oldest first. A block settles only when all before it have.
import type { Block } from "./block.ts"

export interface Transcript {
  add<Kind extends Block>(block: Kind): Kind
  /** Lines for the scrollback. */
  settle(width: number): string[]
  /** The last `room` lines of what may still change. */
  live(width: number, room: number): string[]
  finish(): void
}

export function makeTranscript(): Transcript {
  const blocks: Block[] = []
  let last: { kind: string; blank: boolean } | undefined

  /** A blank line between two things, none at the very top and none between things of a kind that stand together. */
  function spaced(block: Block, before: typeof last): string[] {
    if (before === undefined || before.blank) return []
    return before.kind === block.kind && TOGETHER.has(block.kind) ? [] : [""]
  }

  const started = new Set<Block>()
  return {
    add(block) {
      blocks.push(block)
      return block
    },
    settle(width) {
      const out: string[] = []
      for (;;) {
        const block = blocks[0]
        if (block === undefined) return out
        const lines = block.settle(width)
        if (lines.length > 0) {
          if (!started.has(block)) out.push(...spaced(block, last))
          started.add(block)
          for (const line of lines) out.push(line)
          last = { kind: block.kind, blank: lines.at(-1) === "" }
        }
        if (!block.done) return out
        blocks.shift()
        started.delete(block)
      }
    },
    live(width, room) {
      const out: string[] = []
      let before = last
      for (const block of blocks) {
        const lines = block.live(width)
        if (lines.length === 0) continue
        if (!started.has(block)) out.push(...spaced(block, before))
        out.push(...lines)
        before = { kind: block.kind, blank: lines.at(-1) === "" }
      }
      return room <= 0 ? [] : out.slice(-room)
    },
    finish() {
      for (const block of blocks) block.finish()
    },
  }
}

const TOGETHER: ReadonlySet<string> = new Set(["tool", "notice"])

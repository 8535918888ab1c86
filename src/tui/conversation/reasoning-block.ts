// What the agent thinks: one dimmed line, which does not grow any further. A key shows all of it.
import { count } from "../../model/text/amounts.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import type { Theme } from "../terminal/theme.ts"
import type { Block, FoldedTexts } from "./block.ts"

export interface ReasoningBlock extends Block {
  append(text: string): void
  /** It is void: it will never be in the scrollback. */
  drop(): void
}

export function reasoningBlock(theme: Theme, folded: FoldedTexts, text = ""): ReasoningBlock {
  let all = text
  let ended = text !== ""
  let given = false
  const words = () => all.split(/\s+/).filter((word) => word !== "").length
  return {
    kind: "reasoning",
    get done() {
      return given
    },
    append(more) {
      all += more
    },
    settle(width) {
      if (!ended || given) return []
      given = true
      if (all.trim() === "") return []
      folded.add("Thinking", all)
      const head = `∴ thought, ${count(words(), "word")}: `
      return [theme.quiet(theme.italic(clip(head + sanitiseLine(all.slice(0, 500)), width)))]
    },
    live(width) {
      if (given || all.trim() === "") return []
      const tail = sanitiseLine(all.slice(-width * 2))
      return [theme.quiet(theme.italic(clip(`∴ thinking… ${tail.slice(-Math.max(0, width - 14))}`, width)))]
    },
    finish() {
      ended = true
    },
    drop() {
      given = true
    },
  }
}

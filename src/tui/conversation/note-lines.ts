// A backtrack as the person sees it: a rule, how much it discards, where it returned to, the note. Also a compaction.
import { count } from "../../model/text/amounts.ts"
import { clip, sanitiseLine, widthOf } from "../../model/text/sanitise.ts"
import type { Theme } from "../terminal/theme.ts"
import { charactersOf } from "../text/hard-wrap.ts"
import { type Block, type FoldedTexts, finished, wrapped } from "./block.ts"
import { markdownLines } from "./markdown.ts"

export interface Backtracked {
  checkpoint: number | undefined
  discards: number
  note: string
  returnedTo: string | null
}

const MOST_PROMPT = 200
const MOST_NOTE = 300

export function noteLines(told: Backtracked, width: number, theme: Theme, unfold: string): string[] {
  const title =
    told.checkpoint === undefined ? "Went back with a summary" : `Backtracked to Checkpoint ${told.checkpoint}`
  const lines = [rule(title, width, theme.warning, theme)]
  lines.push(theme.quiet(clip(`Discards ${count(told.discards, "message")}. Undo with /undo`, width)))
  const prompt = told.returnedTo === null ? "" : sanitiseLine(told.returnedTo)
  if (prompt !== "") lines.push(...wrapped(`Returned to: ${cut(prompt, MOST_PROMPT)}`, width))
  const note = told.note.trim()
  if (note !== "") {
    const characters = charactersOf(note)
    const more = characters.length - MOST_NOTE
    lines.push("Note from future:")
    const text = more > 0 ? `${characters.slice(0, MOST_NOTE).join("").trimEnd()}…` : note
    lines.push(...markdownLines(text, width - 2, theme).map((line) => (line === "" ? "" : `  ${line}`)))
    if (more > 0) lines.push(theme.quiet(clip(`  … ${count(more, "more character")} (${unfold})`, width)))
  }
  lines.push(theme.quiet("─".repeat(width)))
  return lines
}

/** A compaction: that it happened, where to read the summary, and how to undo it. */
export function compactedBlock(title: string, summary: string, theme: Theme, folded: FoldedTexts): Block {
  folded.add("Summary", summary)
  const hint = `${folded.key} shows the summary. Undo with /undo`
  return finished("note", (width) => [rule(title, width, theme.mark, theme), theme.quiet(clip(hint, width))])
}

export function rule(title: string, width: number, paint: (text: string) => string, theme: Theme): string {
  const text = clip(title, Math.max(1, width - 5))
  const rest = Math.max(0, width - widthOf(text) - 5)
  return `${theme.quiet("───")} ${paint(text)} ${theme.quiet("─".repeat(rest))}`
}

/** A text that was cut ends with "…", and no character is split. */
function cut(text: string, most: number): string {
  return clip(text, most)
}

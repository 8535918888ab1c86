// Markdown as lines, and where a text that still grows can be cut: what is before the cut will not change any more.
import { sanitise } from "../../model/text/sanitise.ts"
import { Markdown, type MarkdownTheme } from "../terminal/pi.ts"
import type { Theme } from "../theme.ts"
import { highlight } from "./highlight.ts"

/** Contract: `text` may hold anything; the lines hold styles only. */
export function markdownLines(text: string, width: number, theme: Theme): string[] {
  const clean = sanitise(text).replace(/^\n+|\s+$/g, "")
  if (clean === "") return []
  return new Markdown(clean, 0, 0, markdownTheme(theme)).render(width).map((line) => line.trimEnd())
}

const themes = new WeakMap<Theme, MarkdownTheme>()

function markdownTheme(theme: Theme): MarkdownTheme {
  const known = themes.get(theme)
  if (known !== undefined) return known
  const made: MarkdownTheme = {
    heading: theme.strong,
    link: theme.underline,
    linkUrl: theme.quiet,
    code: theme.code,
    codeBlock: (text) => text,
    codeBlockBorder: theme.quiet,
    quote: theme.quiet,
    quoteBorder: theme.quiet,
    hr: theme.quiet,
    listBullet: theme.key,
    bold: theme.strong,
    italic: theme.italic,
    strikethrough: theme.strike,
    underline: theme.underline,
    highlightCode: (code, language) => highlight(code, language, theme),
  }
  themes.set(theme, made)
  return made
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const CONTINUES = /^(?: {2,}|\t| {0,3}(?:[-*+]|\d{1,9}[.)])\s)/

/**
 * The length of the beginning of `text` that no later text can change: whole blocks, cut at a blank line that stands
 * outside of code and does not belong to a list.
 */
export function settledLength(text: string): number {
  let fence: string | undefined
  let cut = 0
  let at = 0
  let blankAt = -1
  for (const line of text.split("\n")) {
    const start = at
    at += line.length + 1
    if (blankAt !== -1 && line.trim() !== "") {
      if (!CONTINUES.test(line)) cut = start
      blankAt = -1
    }
    const mark = FENCE.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = undefined
    } else if (mark !== undefined) fence = mark
    else if (line.trim() === "" && at <= text.length) blankAt = start
  }
  return cut
}

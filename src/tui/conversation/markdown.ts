// Markdown as lines.
import { sanitise } from "../../model/text/sanitise.ts"
import { Markdown, type MarkdownTheme } from "../terminal/pi.ts"
import type { Theme } from "../terminal/theme.ts"
import { highlight } from "./highlight.ts"

/** Contract: `text` may contain anything; the lines contain only styles. */
export function markdownLines(text: string, width: number, theme: Theme): string[] {
  const clean = sanitise(text).replace(/^\n+|\s+$/g, "")
  if (clean === "") return []
  return new Markdown(clean, 0, 0, markdownTheme(theme)).render(width).map((line) => line.trimEnd())
}

/** A single-line text as lines: what would start a heading or a list elsewhere is text here, as in a table cell. */
export function inlineLines(text: string, width: number, theme: Theme): string[] {
  const clean = sanitise(text).trim()
  if (clean === "") return []
  const lines = new Markdown(UNSEEN + clean, 0, 0, markdownTheme(theme)).render(Math.max(1, width))
  return lines.map((line) => line.replace(UNSEEN, "").trimEnd())
}

/** Takes no column. */
const UNSEEN = "\u2060"

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

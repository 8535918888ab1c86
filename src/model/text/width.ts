// How many columns a text takes in a terminal: CJK and emoji take two, combining marks none.
import { graphemesOf } from "./graphemes.ts"

/** Contract: `text` has no control characters. */
export function widthOf(text: string): number {
  if (isNarrow(text)) return text.length
  let width = 0
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment)
  return width
}

/** At most `width` columns; what is cut ends with an ellipsis. */
export function clip(text: string, width: number): string {
  if (width <= 0) return ""
  if (isNarrow(text)) return text.length <= width ? text : `${text.slice(0, width - 1).trimEnd()}…`
  let used = 0
  let kept = ""
  let last = ""
  for (const { segment } of graphemesOf(text)) {
    const next = graphemeWidth(segment)
    // What does not fit beside the ellipsis is kept back until it is known whether an ellipsis is needed.
    if (used + next > width) return `${kept.trimEnd()}…`
    used += next
    if (used > width - 1) last += segment
    else kept += segment
  }
  return kept + last
}

/** Exactly `width` columns. */
export function pad(text: string, width: number, side: "left" | "right" = "right"): string {
  const fitted = clip(text, width)
  const space = " ".repeat(Math.max(0, width - widthOf(fitted)))
  return side === "left" ? space + fitted : fitted + space
}

/** One column for each character, without looking at graphemes: Latin, punctuation, arrows, lines, boxes and our own signs. */
export function isNarrow(text: string): boolean {
  return /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u22ff\u2500-\u25fc\u2713\u2717\u276f\u2800-\u28ff]*$/.test(
    text,
  )
}

function graphemeWidth(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0
  if (code < 0x300) return code === 0xad ? 0 : /\ufe0f/.test(grapheme) ? 2 : 1
  if (/^[\p{Mark}\p{Cf}\u200b]/u.test(grapheme)) return 0
  if (/^\p{Emoji_Presentation}|^\p{Regional_Indicator}|\ufe0f|\u20e3/u.test(grapheme)) return 2
  return isWide(code) ? 2 : 1
}

/** East Asian Wide and Fullwidth, as blocks. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1b000, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
]

function isWide(code: number): boolean {
  return WIDE.some(([from, to]) => code >= from && code <= to)
}

// How many columns a text takes in a terminal: CJK and emoji take two, combining marks none. pi-tui's editor and
// Markdown count the same way: a test compares them.
import { eastAsianWidth } from "get-east-asian-width"
import { graphemesOf } from "./graphemes.ts"

/** Contract: `text` has no control characters. */
export function widthOf(text: string): number {
  if (isNarrow(text)) return text.length
  let width = 0
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment)
  return width
}

/** At most `width` columns; a text that was cut ends with an ellipsis. */
export function clip(text: string, width: number): string {
  if (width <= 0) return ""
  if (isNarrow(text)) return text.length <= width ? text : `${text.slice(0, width - 1).trimEnd()}…`
  let used = 0
  let kept = ""
  let last = ""
  for (const { segment } of graphemesOf(text)) {
    const next = graphemeWidth(segment)
    // What would not fit beside an ellipsis is held back until we know whether one is needed.
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

/**
 * One column per character, without looking at graphemes: Latin, punctuation, arrows, lines, boxes and our own symbols.
 */
function isNarrow(text: string): boolean {
  return /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u22ff\u2500-\u25fc\u2713\u2717\u276f\u2800-\u28ff]*$/.test(
    text,
  )
}

/** The patterns are inside, because V8 takes half a millisecond to create them, and most texts are narrow. */
function graphemeWidth(grapheme: string): number {
  // A heart takes one column as text, and two as an emoji.
  const emoji =
    /^(?:\p{Emoji_Presentation}|(?![0-9#*])\p{Emoji}\ufe0f|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}|[0-9#*]\ufe0f\u20e3)/u
  if (emoji.test(grapheme)) return 2
  const unseen = /^[\p{Default_Ignorable_Code_Point}\p{Mark}\p{Cf}]+/u
  const [first, ...others] = grapheme.replace(unseen, "")
  return first === undefined ? 0 : characterColumns(first) + others.filter((each) => BESIDE.test(each)).length
}

function characterColumns(character: string): number {
  return eastAsianWidth(character.codePointAt(0) ?? 0)
}

/** Combines with the letter before it and still takes a column: halfwidth sound marks, Thai and Lao AM. */
const BESIDE = /[\uff9e\uff9f\u0e33\u0eb3]/

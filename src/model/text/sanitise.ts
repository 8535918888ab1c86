// History is hostile input: what we show of a session must not control the terminal or reorder text.
import { eastAsianWidth } from "get-east-asian-width"

/**
 * CSI, then OSC and the other strings with their terminators, then any other escape sequence; 7-bit and 8-bit forms.
 */
const SEQUENCES = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`\x1b[ -/]*[0-~]`,
  ].join("|"),
  "g",
)
/** C0 except tab and newline, DEL, C1, and the characters that override the direction of text. */
const CONTROLS = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** A session's text, safe to print: no escape sequences, and no control characters except newline and tab. */
export function sanitise(text: string): string {
  return text.replace(SEQUENCES, "").replace(/\r\n?/g, "\n").replace(CONTROLS, "")
}

/** The same on one line. */
export function sanitiseLine(text: string): string {
  return sanitise(text).replace(/\s+/g, " ").trim()
}

/**
 * Breaks lines that are too long for the screen, at spaces where there are any. Shorter lines stay as they are. The
 * lines of `text`. Continued lines keep the indentation of the first.
 */
export function wrap(text: string, width: number): string[] {
  return text
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => (widthOf(line) <= width ? [line.trimEnd()] : wrapLine(line, width)))
}

function wrapLine(line: string, width: number): string[] {
  const indent = line.slice(0, Math.min(line.length - line.trimStart().length, Math.floor(width / 2)))
  const room = Math.max(8, width - indent.length)
  const lines: string[] = []
  let current = ""
  // Several spaces may be alignment, or code: within a line they stay.
  for (const [, space = "", word = ""] of line.trim().matchAll(/( *)([^ ]+)/g)) {
    const joined = current === "" ? word : current + space + word
    if (widthOf(joined) <= room) {
      current = joined
      continue
    }
    if (current !== "") lines.push(current)
    current = word
    while (widthOf(current) > room) {
      const part = firstColumns(current, room)
      lines.push(part)
      current = current.slice(part.length)
    }
  }
  if (current !== "") lines.push(current)
  return lines.map((each) => indent + each)
}

/** As much of a long word as fits. Contract: never empty. */
function firstColumns(word: string, width: number): string {
  // An ellipsis takes one column, so clipping to one column more and dropping it leaves `width` columns.
  const cut = clip(word, width + 1)
  const part = cut.endsWith("…") ? cut.slice(0, -1) : word.slice(0, width)
  return part === "" ? word.slice(0, 1) : part
}

/**
 * How many columns a text takes in a terminal: CJK and emoji take two, combining marks none. pi-tui's editor and
 * Markdown count the same way: a test compares them. Contract: `text` has no control characters.
 */
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

/** A path or a name as you would type it in a shell. */
export function shellWord(text: string): string {
  const line = sanitiseLine(text)
  return /^[\w@%+=:,./-]+$/.test(line) ? line : `'${line.replaceAll("'", "'\\''")}'`
}

/** A command for a person to type, with a `cd` first if they are in another folder. */
export function shellCommand(words: readonly string[], folder: { needed: string; current: string }): string {
  const command = words.map(shellWord).join(" ")
  const { needed, current } = folder
  return needed === "" || needed === current ? command : `cd ${shellWord(needed)} && ${command}`
}

let segmenter: Intl.Segmenter | undefined

/**
 * Splits text into what a reader takes for one character. The tables for this load more slowly than a short command
 * runs, so they are loaded when a text first needs them.
 */
export function graphemesOf(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  return segmenter.segment(text)
}

// Texts by character: breaks a line where the screen ends. Spaces stay: this may be code.
import { widthOf } from "../../model/text/width.ts"
import { safe } from "./line.ts"

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** What a person calls a character, one by one. */
export function charactersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

/** The text, safe to print, in pieces of at most `width` columns. Costs what the text is long. */
export function chop(text: string, width: number): string[] {
  const line = safe(text.replaceAll("\t", "    "))
  if (line.length * 2 <= width) return [line]
  const pieces: string[] = []
  if (/^[\x20-\x7e]*$/.test(line)) {
    for (let at = 0; at < line.length; at += width) pieces.push(line.slice(at, at + width))
    return pieces
  }
  let current = ""
  let used = 0
  for (const { segment } of graphemes.segment(line)) {
    const columns = widthOf(segment)
    if (used + columns > width) {
      pieces.push(current)
      current = ""
      used = 0
    }
    current += segment
    used += columns
  }
  return [...pieces, current]
}

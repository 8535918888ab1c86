// Breaks a line where the screen ends, at a space if one is near. Other spaces stay: this may be code.
import { graphemesOf, widthOf } from "../../model/text/sanitise.ts"
import { safe } from "./line.ts"

/** The characters as a person sees them, one by one. */
export function charactersOf(text: string): string[] {
  return Array.from(graphemesOf(text), ({ segment }) => segment)
}

/** The text, safe to print, in pieces of at most `width` columns. Takes linear time. */
export function hardWrap(text: string, width: number): string[] {
  const line = safe(text.replaceAll("\t", "    "))
  if (line.length * 2 <= width) return [line]
  const pieces: string[] = []
  if (/^[\x20-\x7e]*$/.test(line)) {
    let at = 0
    while (line.length - at > width) {
      const end = at + width
      const between = line[end] === " "
      const piece = between ? line.slice(at, end) : wholeWords(line.slice(at, end))
      pieces.push(piece)
      at += piece.length + (between ? 1 : 0)
    }
    return [...pieces, line.slice(at)]
  }
  let current = ""
  let used = 0
  for (const { segment } of graphemesOf(line)) {
    const columns = widthOf(segment)
    if (used + columns > width) {
      const piece = segment === " " ? current : wholeWords(current)
      pieces.push(piece)
      current = current.slice(piece.length)
      used = widthOf(current)
      if (segment === " ") continue
    }
    current += segment
    used += columns
  }
  return [...pieces, current]
}

/** Up to its last space; all of it if that would leave more than half of the line empty, or nothing but spaces. */
function wholeWords(piece: string): string {
  const words = piece.slice(0, piece.lastIndexOf(" ") + 1)
  return words.length > piece.length / 2 && words.trim() !== "" ? words : piece
}

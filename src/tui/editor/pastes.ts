// Placeholders in the editor for a long pasted text. And the reverse: a stored message is taken apart again, so that a rewind
// brings back the placeholders and not walls of text.

/** As the editor writes them. */
const TEXT = /\[paste #\d+ (?:\+(\d+) lines|(\d+) chars)\]/g

export function hasPaste(display: string): boolean {
  return display.search(TEXT) !== -1
}

export type PromptPiece = { type: "typed"; text: string } | { type: "paste"; text: string }

/**
 * What was typed and what was pasted, from what the editor showed and what was sent. Contract: the pieces joined are
 * `text`. If the two do not match, all of it counts as typed.
 */
export function takeApart(display: string, text: string): PromptPiece[] {
  const pieces: PromptPiece[] = []
  let shownAt = 0
  let at = 0
  const marks = [...display.matchAll(TEXT)]
  for (const [i, mark] of marks.entries()) {
    const typed = display.slice(shownAt, mark.index)
    if (!text.startsWith(typed, at)) return [{ type: "typed", text }]
    at += typed.length
    shownAt = mark.index + mark[0].length
    const next = display.slice(shownAt, marks[i + 1]?.index ?? display.length)
    const length = pasteLength(text.slice(at), mark, next, i === marks.length - 1)
    if (length === undefined) return [{ type: "typed", text }]
    if (typed !== "") pieces.push({ type: "typed", text: typed })
    pieces.push({ type: "paste", text: text.slice(at, at + length) })
    at += length
  }
  const rest = display.slice(shownAt)
  if (text.slice(at) !== rest) return [{ type: "typed", text }]
  if (rest !== "") pieces.push({ type: "typed", text: rest })
  return pieces
}

function pasteLength(text: string, mark: RegExpExecArray, next: string, last: boolean): number | undefined {
  const [, lines, characters] = mark
  if (characters !== undefined) return Number(characters) <= text.length ? Number(characters) : undefined
  if (last) return text.endsWith(next) ? text.length - next.length : undefined
  let at = 0
  for (let i = 1; i < Number(lines); i++) {
    const end = text.indexOf("\n", at)
    if (end === -1) return undefined
    at = end + 1
  }
  const found = text.indexOf(next, at)
  return found === -1 ? undefined : found
}

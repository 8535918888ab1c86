// Text for a person to approve: every character is visible, and a line that is too long continues on the next.

/** Control characters, invisible ones, those that reorder text, and blanks that only look like a space. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u00a0\u115f\u1160\u1680\u2000-\u200a\u202f\u205f\u2800\u3164\uffa0]/gu

/** One line: an escape becomes `<U+001B>`, and a tab becomes an arrow, so that nobody takes it for spaces. */
export function visible(line: string): string {
  return line.replaceAll("\t", "→   ").replace(UNSEEN, (char) => `<U+${hex(char.codePointAt(0) ?? 0)}>`)
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, "0")
}

/**
 * Pieces of at most `width` columns, broken between words if a space is near. Contract: joined they are the line, and
 * every space can be inferred: several are at the start of a piece, never at its end; and where a piece is not full and
 * the next does not start with a space, there is one between them. Any character that is not plain counts as two
 * columns: no terminal needs more.
 */
export function pieces(line: string, width: number): string[] {
  const room = Math.max(2, width)
  const found: string[] = []
  let [piece, used] = ["", 0]
  for (const char of line) {
    const columns = mostColumns(char)
    while (used + columns > room) {
      const end = pieceEnd(piece, char)
      found.push(piece.slice(0, end))
      piece = piece.slice(end)
      used = Array.from(piece).reduce((sum, each) => sum + mostColumns(each), 0)
    }
    piece += char
    used += columns
  }
  return [...found, piece]
}

/** After the last space, if it is a single one in the second half of the piece; otherwise where the piece is full. */
function pieceEnd(piece: string, next: string): number {
  const bare = piece.replace(/ +$/, "").length
  if (bare === 0) return piece.length
  const spaces = piece.length - bare + (next === " " ? 1 : 0)
  if (spaces > 1) return bare
  const end = piece.lastIndexOf(" ") + 1
  return end > piece.length / 2 && piece[end - 2] !== " " ? end : piece.length
}

function mostColumns(char: string): number {
  if (/^[\x20-\x7e\u2190-\u2193]$/.test(char)) return 1
  return /^\p{Mn}|^\p{Me}/u.test(char) ? 0 : 2
}

// A line of an overlay, made of painted pieces. Every line is made here: no text of a session reaches the screen with
// control characters, and none is too wide.
import { clip, sanitise, widthOf } from "../../model/text/sanitise.ts"
import type { Painter } from "../terminal/theme.ts"

export type LinePiece = string | { text: string; paint: Painter }

export function piece(text: string, paint: Painter): LinePiece {
  return { text, paint }
}

/** A session's text on one line; spaces stay as they are. */
export function safe(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : sanitise(text).replace(/[\n\t\u2028\u2029]/g, " ")
}

/**
 * Left pieces, then right ones at the right edge. The left are clipped first; the right are dropped if both do not fit.
 */
export function makeLine(left: readonly LinePiece[], width: number, right: readonly LinePiece[] = []): string {
  const ends = widthOfAll(right)
  if (ends === 0 || width - ends < 22) return fitted(left, width).text
  const start = fitted(left, width - ends - 2)
  return `${start.text}${" ".repeat(width - ends - start.width)}${fitted(right, ends).text}`
}

/** The same, padded to the full width, for a row that is painted as a whole. */
export function makeFullLine(left: readonly LinePiece[], width: number, right: readonly LinePiece[] = []): string {
  const used = Math.min(width, widthOfAll(left))
  const ends = widthOfAll(right)
  const line = makeLine(left, width, right)
  return ends === 0 || width - ends < 22 ? line + " ".repeat(width - used) : line
}

function widthOfAll(pieces: readonly LinePiece[]): number {
  return pieces.reduce((sum, each) => sum + widthOf(safe(textOf(each))), 0)
}

function textOf(each: LinePiece): string {
  return typeof each === "string" ? each : each.text
}

function fitted(pieces: readonly LinePiece[], width: number): { text: string; width: number } {
  let text = ""
  let used = 0
  for (const each of pieces) {
    const whole = safe(textOf(each))
    const shown = clip(whole, width - used)
    text += typeof each === "string" || shown === "" ? shown : each.paint(shown)
    used += widthOf(shown)
    if (shown !== whole) break
  }
  return { text, width: used }
}

// What all overlays look like: a title, a body, and the keys at the bottom.
import { widthOf } from "../../model/text/width.ts"
import type { Theme } from "../theme.ts"
import { makeFullLine, makeLine, type Piece, piece } from "./line.ts"

/** A key and what it does; the first ones stay when there is no room for all. */
export type KeyHint = readonly [key: string, does: string]

export interface FrameParts {
  title: readonly Piece[]
  right?: readonly Piece[]
  /** Above the keys: a question, what went wrong, what is going on. */
  message?: readonly Piece[]
  keys: readonly KeyHint[]
  /** Exactly this many rows or fewer. */
  body: (height: number) => string[]
}

/** Contract: `height` lines. */
export function makeFrame(theme: Theme, parts: FrameParts, width: number, height: number): string[] {
  const message = parts.message === undefined ? [] : [makeLine(parts.message, width)]
  const room = Math.max(0, height - 3 - message.length)
  const body = parts.body(room).slice(0, room)
  while (body.length < room) body.push("")
  const lines = [makeLine(parts.title, width, parts.right), rule(theme, width), ...body, ...message]
  return [...lines, keyLine(theme, parts.keys, width)].slice(0, height)
}

export function rule(theme: Theme, width: number): string {
  return theme.quiet("─".repeat(width))
}

function keyLine(theme: Theme, keys: readonly KeyHint[], width: number): string {
  const pieces: Piece[] = []
  let used = 0
  for (const [key, does] of keys) {
    const text = `${key} ${does}`
    const more = widthOf(text) + (used === 0 ? 0 : 3)
    if (used + more > width) break
    if (used > 0) pieces.push(piece(" · ", theme.quiet))
    pieces.push(piece(key, theme.key), ` ${does}`)
    used += more
  }
  return makeLine(pieces, width)
}

/** A row of a list, as wide as the list: marked also where there are no colours. */
export function listRow(
  theme: Theme,
  chosen: boolean,
  left: readonly Piece[],
  width: number,
  right: readonly Piece[] = [],
): string {
  const line = makeFullLine([chosen ? "› " : "  ", ...left], width, right)
  return chosen ? theme.chosen(line) : line
}

/** The line above a list that is typed into. */
export function searchLine(theme: Theme, query: string, placeholder: string, found: string, width: number): string {
  const right = found === "" ? [] : [piece(found, theme.quiet)]
  if (query === "") return makeLine([piece(placeholder, theme.quiet)], width, right)
  return makeLine([piece("Search: ", theme.quiet), query, piece("▏", theme.key)], width, right)
}

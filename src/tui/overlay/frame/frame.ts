// What all overlays look like: a title, a body, and the keys at the bottom.
import { widthOf, wrap } from "../../../model/text/sanitise.ts"
import type { Painter, Theme } from "../../terminal/theme.ts"
import { charactersOf } from "../../text/hard-wrap.ts"
import { type LinePiece, makeFullLine, makeLine, piece, safe } from "../../text/line.ts"

/** A key and what it does; the first ones stay if there is no room for all. */
export type KeyHint = readonly [key: string, does: string]

export interface FrameContent {
  title: readonly LinePiece[]
  right?: readonly LinePiece[]
  /** Above the keys: a question, a problem, or what is happening. */
  message?: { text: string; paint?: Painter } | undefined
  keys: readonly KeyHint[]
  /** How many lines the keys may take: two, unless the screen is low. The third only where enough is left for the body. */
  keyRows?: 1 | 2 | 3
  /** At most this many rows. */
  body: (height: number) => string[]
}

/** Contract: `height` lines. */
export function makeFrame(theme: Theme, parts: FrameContent, width: number, height: number): string[] {
  const message = parts.message === undefined ? [] : messageLines(parts.message, width)
  const keys = keyLines(
    theme,
    parts.keys,
    width,
    Math.min(parts.keyRows ?? 2, height < LOW ? 1 : height < HIGH ? 2 : 3),
  )
  const room = Math.max(0, height - 2 - keys.length - message.length)
  const body = parts.body(room).slice(0, room)
  while (body.length < room) body.push("")
  const lines = [makeLine(parts.title, width, parts.right), rule(theme, width), ...body, ...message]
  return [...lines, ...keys].slice(0, height)
}

/** A message wider than the screen takes a few lines. */
function messageLines({ text, paint }: { text: string; paint?: Painter }, width: number): string[] {
  const lines = wrap(safe(text), width).slice(0, 5)
  return lines.map((line) => makeLine([paint === undefined ? line : piece(line, paint)], width))
}

export function rule(theme: Theme, width: number): string {
  return theme.quiet("─".repeat(width))
}

/** On a lower screen there is one line of keys. */
const LOW = 10
/** From this height on there may be three. */
const HIGH = 16

function keyLines(theme: Theme, keys: readonly KeyHint[], width: number, most: number): string[] {
  const lines: LinePiece[][] = [[]]
  let used = 0
  for (const [key, does] of keys) {
    const more = widthOf(`${key} ${does}`) + (used === 0 ? 0 : 3)
    if (used > 0 && used + more > width) {
      if (lines.length === most) break
      lines.push([])
      used = 0
    }
    const line = lines.at(-1)
    if (used > 0) line?.push(piece(" · ", theme.quiet))
    line?.push(piece(key, theme.key), ` ${does}`)
    used += used === 0 ? widthOf(`${key} ${does}`) : more
  }
  return lines.map((line) => makeLine(line, width))
}

/** A row of a list, as wide as the list, and marked even without colours. */
export function listRow(
  theme: Theme,
  chosen: boolean,
  left: readonly LinePiece[],
  width: number,
  right: readonly LinePiece[] = [],
): string {
  const line = makeFullLine([chosen ? "› " : "  ", ...left], width, right)
  return chosen ? theme.chosen(line) : line
}

const SEARCH = "Search: "

/** The query above a list. If it is long, its end is shown: that is where you type. */
export function searchLine(theme: Theme, query: string, placeholder: string, found: string, width: number): string {
  const right = found === "" ? [] : [piece(found, theme.quiet)]
  if (query === "") return makeLine([piece(placeholder, theme.quiet)], width, right)
  const room = width - widthOf(SEARCH) - 1 - (found === "" ? 0 : widthOf(found) + 2)
  return makeLine([piece(SEARCH, theme.quiet), endOf(safe(query), room), piece("▏", theme.key)], width, right)
}

function endOf(text: string, room: number): string {
  if (widthOf(text) <= room) return text
  let [shown, used] = ["", 1]
  for (const character of charactersOf(text).reverse()) {
    used += widthOf(character)
    if (used > room) break
    shown = character + shown
  }
  return `…${shown}`
}

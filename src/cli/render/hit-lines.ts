// What a search found in one session, on a screen.

import { AGE_WIDTH, age } from "../../model/text/amounts.ts"
import { clip, pad, sanitiseLine, widthOf } from "../../model/text/sanitise.ts"
import type { Hit } from "../../protocol/library.ts"
import type { Style } from "./style.ts"

export interface HitView {
  now: number
  width: number
  style: Style
}

const LEFT = "left"
const PLACE_WIDTH = 8

/** id, age, who, the text around the match. Says so if it is not on the path. */
export function hitLine(view: HitView, hit: Hit): string {
  const { style, width } = view
  const id = pad(hit.short, 6)
  const when = pad(age(hit.at, view.now), AGE_WIDTH, LEFT)
  const where = pad(sanitiseLine(hit.where), PLACE_WIDTH)
  const off = hit.onPath ? "" : "abandoned  "
  const room = width - 2 - widthOf(id) - 2 - AGE_WIDTH - 2 - PLACE_WIDTH - 2 - off.length
  const left = `  ${style.id(id)}  ${style.quiet(when)}  ${where}  ${style.mark(off)}`
  return `${left}${snippet(hit, room, style)}`.trimEnd()
}

/** The match, with its context. */
export function snippet(hit: Pick<Hit, "before" | "match" | "after">, room: number, style: Style): string {
  const match = clip(oneLine(hit.match).trim(), room)
  const rest = room - widthOf(match)
  const before = tail(oneLine(hit.before), Math.max(Math.floor(rest / 3), rest - widthOf(oneLine(hit.after))))
  const after = clip(oneLine(hit.after), rest - widthOf(before))
  return `${before}${style.match(match)}${after}`
}

/** The end of a text. */
function tail(text: string, width: number): string {
  if (widthOf(text) <= width) return text.trimStart()
  if (width <= 1) return ""
  const characters = Array.from(text)
  let from = characters.length
  let used = 1
  while (from > 0) {
    used += widthOf(characters[from - 1] ?? "")
    if (used > width) break
    from--
  }
  return `…${characters.slice(from).join("")}`
}

/** On one line, keeping the spaces at its ends, which separate it from the match. */
function oneLine(text: string): string {
  const line = sanitiseLine(text)
  if (line === "") return /\s/.test(text) ? " " : ""
  return `${/^\s/.test(text) ? " " : ""}${line}${/\s$/.test(text) ? " " : ""}`
}

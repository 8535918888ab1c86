// What a search found in one session, on a screen.
import { clip, pad, sanitiseLine, widthOf } from "../../model/text/sanitise.ts"
import type { FoundHit } from "../../protocol/library.ts"
import type { Style } from "./style.ts"

const PLACE_WIDTH = 8

/** id, who, the text around the words. Says so if it is not on the path. */
export function hitLines({ short, where, onPath, text, marks }: FoundHit, width: number, style: Style): string[] {
  const id = pad(short, 6)
  const place = pad(sanitiseLine(where), PLACE_WIDTH)
  const off = onPath ? "" : "abandoned  "
  const room = Math.max(20, width - 2 - widthOf(id) - 2 - PLACE_WIDTH - 2 - off.length)
  return [`  ${style.id(id)}  ${place}  ${style.mark(off)}${excerptOn(text, marks, room, style)}`.trimEnd()]
}

/** As much of an excerpt as there is room for, so that the first mark is in it. */
function excerptOn(text: string, marks: FoundHit["marks"], room: number, style: Style): string {
  const [first] = marks
  const lead = first === undefined ? 0 : Math.max(0, first[1] + Math.floor(room / 3) - room)
  let line = ""
  let at = widthOf(text) <= room ? 0 : Math.min(lead, first?.[0] ?? 0)
  let left = room
  if (at > 0) {
    line = "…"
    left--
  }
  const add = (end: number, paint: (each: string) => string) => {
    const part = text.slice(at, end)
    const piece = spaced(clip(sanitiseLine(part), left), part)
    at = Math.max(at, end)
    if (left <= 0) return
    left -= widthOf(piece)
    line += paint(piece)
  }
  for (const [from, to] of marks) {
    if (from < at) continue
    add(from, (piece) => piece)
    add(to, style.match)
  }
  add(text.length, (piece) => piece)
  return line
}

/** The spaces at the ends, which separate it from a mark. */
function spaced(shown: string, part: string): string {
  if (shown === "") return /^\s/.test(part) ? " " : ""
  return `${/^\s/.test(part) ? " " : ""}${shown}${/\s$/.test(part) && !shown.endsWith("…") ? " " : ""}`
}

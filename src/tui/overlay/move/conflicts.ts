// The person and the agent changed the same lines: shows both versions, and keys to choose which to keep.
import type { ConflictChoice } from "../../../model/failure/failure.ts"
import { type Conflict, choicesFor } from "../../../model/move/file-outcomes.ts"
import type { MoveResult } from "../../../model/move/moved.ts"
import { count } from "../../../model/text/amounts.ts"
import { wrap } from "../../../model/text/sanitise.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../../screen/overlay-host.ts"
import type { Theme } from "../../terminal/theme.ts"
import { makeLine, piece, safe } from "../../text/line.ts"
import { conflictReason } from "../../words/file-words.ts"
import { type KeyHint, listRow, makeFrame, rule } from "../frame/frame.ts"
import { versionLines } from "./versions.ts"

const ALL: readonly { key: string; choice: ConflictChoice; name: string; about: string }[] = [
  { key: "m", choice: "ours", name: "Keep mine", about: "these lines stay as they are now" },
  { key: "o", choice: "theirs", name: "Put old lines back", about: "these lines as they were then" },
  { key: "b", choice: "write-conflicts", name: "Write both", about: "with markers, for you to sort out" },
]

export function conflictsOf(answer: MoveResult | undefined): readonly Conflict[] {
  return answer?.outcome === "refused" ? (answer.conflicts ?? []) : []
}

export function openConflicts(host: OverlayHost, conflicts: readonly Conflict[]): Promise<ConflictChoice | undefined> {
  return host.showOverlay<ConflictChoice | undefined>((handle) => makeConflicts(handle, conflicts))
}

function makeConflicts(handle: OverlayHandle<ConflictChoice | undefined>, conflicts: readonly Conflict[]): Overlay {
  const { theme } = handle
  const possible = choicesFor(conflicts)
  const choices = ALL.filter(({ choice }) => possible.includes(choice))
  const keys: readonly KeyHint[] = [
    ...choices.map(({ key, name }): KeyHint => [key, name.toLowerCase()]),
    ["Enter", "choose"],
    ["Esc", "change nothing"],
  ]
  let at = 0
  let top = 0
  let page = 1
  let drawn: { width: number; lines: string[] } | undefined

  function linesAt(width: number): string[] {
    if (drawn?.width === width) return drawn.lines
    const lines = conflicts.flatMap((each, i) => [
      ...(i === 0 ? [] : [""]),
      ...conflictLines(theme, each, width),
      ...versionLines(theme, each, width),
    ])
    drawn = { width, lines }
    return lines
  }

  /** The line above them shows the position. */
  function place(size: number, width: number): string {
    if (size <= page) return rule(theme, width)
    const words = `── lines ${top + 1} to ${Math.min(size, top + page)} of ${size}, PgDn for more `
    return makeLine([piece(words + "─".repeat(Math.max(0, width - words.length)), theme.quiet)], width)
  }

  return {
    render(width, height) {
      const lines = linesAt(width)
      const title = [piece("Both changed the same lines", theme.warning)]
      const right = [piece(count(conflicts.length, "file"), theme.quiet)]
      const body = (room: number) => {
        const rows = choices.map(({ key, name, about }, i) =>
          listRow(theme, i === at, [piece(`${key}  `, theme.key), name], width, [piece(about, theme.quiet)]),
        )
        page = Math.max(1, room - rows.length - 1)
        top = Math.max(0, Math.min(top, lines.length - page))
        return [...rows, place(lines.length, width), ...lines.slice(top, top + page)]
      }
      return makeFrame(theme, { title, right, body, keys }, width, height)
    },
    key({ name }) {
      const typed = choices.find(({ key }) => key === name)
      if (name === "escape" || name === "ctrl+c") handle.done(undefined)
      else if (typed !== undefined) handle.done(typed.choice)
      else if (name === "enter") handle.done(choices[at]?.choice)
      else if (name === "up") at = (at + choices.length - 1) % choices.length
      else if (name === "down" || name === "tab") at = (at + 1) % choices.length
      else if (name === "pageDown" || name === "space") top += page
      else if (name === "pageUp") top -= page
      else if (name === "home") top = 0
      else if (name === "end") top = Number.MAX_SAFE_INTEGER
    },
  }
}

/** The path; if the reason does not fit on the same line, all of it goes below. */
export function conflictLines(theme: Theme, conflict: Conflict, width: number): string[] {
  const reason = conflictReason(conflict)
  const start = "  conflict  "
  if (start.length + conflict.path.length + 2 + reason.length <= width) {
    return [makeLine([start, conflict.path, piece(`  ${reason}`, theme.quiet)], width)]
  }
  const below = wrap(safe(reason), Math.max(10, width - start.length))
  return [
    makeLine([start, conflict.path], width),
    ...below.map((line) => makeLine([" ".repeat(start.length), piece(line, theme.quiet)], width)),
  ]
}

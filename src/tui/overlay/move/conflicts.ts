// The person and the agent changed the same lines: which of them stand, as three keys.
import { count } from "../../../model/text/amounts.ts"
import { wrap } from "../../../model/text/wrap.ts"
import type { MoveRequest } from "../../../protocol/host.ts"
import type { MoveAnswer } from "../../../protocol/shapes.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../../screen/overlay-host.ts"
import type { Theme } from "../../terminal/theme.ts"
import { makeLine, piece, safe } from "../../text/line.ts"
import { conflictWords } from "../../words/file-words.ts"
import { type KeyHint, listRow, makeFrame, rule } from "../frame/frame.ts"

export type OnConflict = Exclude<MoveRequest["onConflict"], undefined>
type Conflict = Parameters<typeof conflictWords>[0] & { path: string }

const CHOICES: readonly { key: string; choice: OnConflict; name: string; about: string }[] = [
  { key: "m", choice: "ours", name: "Keep mine", about: "these lines stay as they are now" },
  { key: "o", choice: "theirs", name: "Put the old back", about: "these lines as they were then" },
  { key: "b", choice: "write-conflicts", name: "Write both", about: "marked, to sort out yourself" },
]

const KEYS: readonly KeyHint[] = [
  ...CHOICES.map(({ key, name }): KeyHint => [key, name.toLowerCase()]),
  ["Enter", "the chosen one"],
  ["Esc", "change nothing"],
]

/** Asks, and asks again with what the person chose, when files conflict. */
export async function withConflicts(
  host: OverlayHost,
  ask: (more: { onConflict?: OnConflict }) => Promise<MoveAnswer>,
): Promise<MoveAnswer> {
  const answer = await ask({})
  const conflicts = conflictsOf(answer)
  if (conflicts.length === 0) return answer
  const onConflict = await openConflicts(host, conflicts)
  return onConflict === undefined ? answer : ask({ onConflict })
}

export function conflictsOf(answer: MoveAnswer | undefined): readonly Conflict[] {
  return answer?.outcome === "refused" ? (answer.conflicts ?? []) : []
}

export function openConflicts(host: OverlayHost, conflicts: readonly Conflict[]): Promise<OnConflict | undefined> {
  return host.showOverlay<OnConflict | undefined>((handle) => makeConflicts(handle, conflicts))
}

function makeConflicts(handle: OverlayHandle<OnConflict | undefined>, conflicts: readonly Conflict[]): Overlay {
  const { theme } = handle
  let at = 0
  return {
    render(width, height) {
      const title = [piece("Both changed the same lines", theme.warning)]
      const right = [piece(count(conflicts.length, "file"), theme.quiet)]
      const body = (room: number) => {
        const rows = CHOICES.map(({ key, name, about }, i) =>
          listRow(theme, i === at, [piece(`${key}  `, theme.key), name], width, [piece(about, theme.quiet)]),
        )
        const lines = conflicts.flatMap((each) => conflictLines(theme, each, width))
        const free = Math.max(1, room - rows.length - 1)
        const more = lines.length - free
        const shown = more <= 0 ? lines : [...lines.slice(0, free - 1), theme.quiet(`  and ${more + 1} more lines`)]
        return [...rows, rule(theme, width), ...shown]
      }
      return makeFrame(theme, { title, right, body, keys: KEYS }, width, height)
    },
    key({ name }) {
      const typed = CHOICES.find(({ key }) => key === name)
      if (name === "escape" || name === "ctrl+c") handle.done(undefined)
      else if (typed !== undefined) handle.done(typed.choice)
      else if (name === "enter") handle.done(CHOICES[at]?.choice)
      else if (name === "up") at = (at + CHOICES.length - 1) % CHOICES.length
      else if (name === "down" || name === "tab") at = (at + 1) % CHOICES.length
    },
  }
}

/** The path, and all of the reason below it where both are too long for a line. */
export function conflictLines(theme: Theme, conflict: Conflict, width: number): string[] {
  const reason = conflictWords(conflict)
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

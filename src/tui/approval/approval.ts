// An approval's question on the screen: all of it, in pages if there is not enough room.
import { clip, widthOf } from "../../model/text/sanitise.ts"
import type { Question } from "../../protocol/numbered-event.ts"
import {
  brokenLines,
  GRANT_KEYS,
  grantLines,
  headingOf,
  type QuestionLine,
  questionLines,
} from "../../protocol/question.ts"
import { rule } from "../conversation/note-lines.ts"
import type { Painter, Theme } from "../terminal/theme.ts"
import { scrolled } from "../text/scrolled.ts"

export interface QuestionSpace {
  width: number
  /** How many lines there may be. */
  room: number
  /** Whether keys go to the editor. */
  typing: boolean
}

/** Contract: `read` is true once every line has been drawn, from the first to the last without a gap. */
export interface QuestionView {
  lines(space: QuestionSpace): string[]
  readonly read: boolean
  /** True if the key scrolled. */
  scroll(key: string): boolean
}

/** The rule above it, the position in it, and the keys. */
const FIXED = 3
const TYPING = "  You are typing: Enter sends, Esc returns to the question"
const TYPING_SHORT = "  You are typing: Enter sends"

export function makeQuestionView(question: Question, theme: Theme): QuestionView {
  const whole = [...questionLines(question), ...offered(question)]
  let broken: { width: number; lines: QuestionLine[] } | undefined
  let [top, room, seen, read] = [0, 1, 0, false]

  return {
    lines({ width, room: given, typing }) {
      if (broken?.width !== width) {
        broken = { width, lines: brokenLines(whole, width) }
        // The lines have changed, so nobody knows what was read of them.
        seen = 0
      }
      const { lines } = broken
      room = Math.max(1, lines.length + FIXED - 1 <= given ? lines.length : given - FIXED)
      top = Math.max(0, Math.min(top, lines.length - room))
      const end = Math.min(lines.length, top + room)
      if (top <= seen) seen = Math.max(seen, end)
      read ||= seen >= lines.length
      const more = read ? "↑↓ scroll" : "press space to read on, then you can allow it"
      const place =
        room >= lines.length
          ? []
          : [theme.warning(clip(`  lines ${top + 1}–${end} of ${lines.length}: ${more}`, width))]
      const heading = rule(clip(`Allow ${headingOf(question)}?`, width - 6), width, theme.warning, theme)
      return [
        heading,
        ...lines.slice(top, end).map((line) => painted(line, theme)),
        ...place,
        typing
          ? theme.warning(clip(widthOf(TYPING) <= width ? TYPING : TYPING_SHORT, width))
          : keysLine(question, width, theme),
      ]
    },
    get read() {
      return read
    },
    scroll(key) {
      const size = broken?.lines.length ?? 0
      const to = scrolled(top, key, room, size)
      if (to === undefined || size <= room) return false
      top = Math.max(0, Math.min(to, size - room))
      return true
    },
  }
}

/** What else can be allowed, each with its key: a wide grant needs a second one. */
function offered({ grants }: Question): QuestionLine[] {
  return grantLines(grants).map(({ key, text }, n) => {
    const confirm = grants[n]?.width === "exact" ? "" : "; press Enter after it"
    return { kind: "quiet", text: `${key}  ${text}${confirm}` }
  })
}

function painted({ kind, text }: QuestionLine, theme: Theme): string {
  const paints: Record<QuestionLine["kind"], Painter> = {
    warning: theme.warning,
    command: theme.strong,
    added: theme.good,
    removed: theme.bad,
    quiet: theme.quiet,
    plain: (plain) => plain,
  }
  return paints[kind](text)
}

function keysLine({ grants }: Question, width: number, theme: Theme): string {
  const short = width < 70
  const session = grants.map(({ id }) => GRANT_KEYS[id]).join(" ")
  const keys = [
    ["y", "once"],
    ...(session === "" ? [] : [[session, short ? "session" : "for this session"]]),
    ["n", "no"],
    ["r", short ? "no, because…" : "no, with a reason"],
    ["esc", "stop"],
  ]
  return `  ${keys.map(([key = "", what = ""]) => `${theme.key(key)} ${what}`).join(theme.quiet(" · "))}`
}

/** All of it, for a separate page. */
export function questionText(question: Question): string {
  return questionLines(question)
    .map(({ text }) => text)
    .join("\n")
}

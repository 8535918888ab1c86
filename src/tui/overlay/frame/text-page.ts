// Text that is longer than the screen: it scrolls, and long lines are broken where the screen ends.
import { thousands } from "../../../model/text/amounts.ts"
import type { Overlay, OverlayHandle } from "../../screen/overlay-host.ts"
import type { Painter } from "../../terminal/theme.ts"
import { hardWrap } from "../../text/hard-wrap.ts"
import { type LinePiece, makeLine, piece } from "../../text/line.ts"
import { scrolled } from "../../text/scrolled.ts"
import { type KeyHint, makeFrame } from "./frame.ts"

/** A line of the text, and how to paint it. */
export interface TextLine {
  text: string
  paint?: Painter
  /** Columns that stay empty where the line continues below, under its number. */
  gutter?: number
}

export interface TextPage {
  title: string
  right?: string
  lines: readonly TextLine[]
  /** In place of these: laid out for the width of the screen. */
  at?: (width: number) => readonly TextLine[]
  /** What else can be done on this page. */
  keys?: readonly KeyHint[]
  key?: (name: string) => void
}

/** `page` may arrive later: until then a line says so. */
export function makeTextPage(handle: OverlayHandle<void>, page: TextPage | Promise<TextPage>, title = ""): Overlay {
  const { theme } = handle
  let shown: TextPage | undefined
  let broken: { width: number; lines: TextLine[] } | undefined
  let top = 0
  let room = 10
  const show = (ready: TextPage) => {
    shown = ready
    handle.redraw()
  }
  if (page instanceof Promise) void page.then(show, (error: unknown) => show(problemPage(title, error)))
  else shown = page

  function linesAt(width: number): TextLine[] {
    if (broken?.width !== width) {
      const all = shown?.at?.(width) ?? shown?.lines ?? []
      const lines = all.flatMap((each) => brokenLine(each, width))
      broken = shown === undefined ? undefined : { width, lines }
      return lines
    }
    return broken.lines
  }

  return {
    render(width, height) {
      const lines = linesAt(width)
      room = Math.max(1, height - 3)
      top = Math.max(0, Math.min(top, lines.length - room))
      const last = Math.min(lines.length, top + room)
      const place = lines.length <= room ? "" : `${top + 1}–${last} of ${thousands(lines.length)}`
      const right = [shown?.right ?? "", place].filter(Boolean).join(" · ")
      const body = () => lines.slice(top, last).map((each) => makeLine([pieceOf(each)], width))
      const parts = {
        title: [piece(shown?.title ?? title, theme.strong)],
        right: [piece(right, theme.quiet)],
        keyRows: 1 as const,
        body: shown === undefined ? () => [theme.quiet("One moment…")] : body,
        keys: [
          ["Esc", "leave"],
          ...(shown?.keys ?? []),
          ["↑↓", "scroll"],
          ["PgUp PgDn", "pages"],
          ["Home End", "top, end"],
        ] as const,
      }
      return makeFrame(theme, parts, width, height)
    },
    key(key) {
      const to = scrolled(top, key.name, room, broken?.lines.length ?? 0)
      if (to !== undefined) top = to
      else if (["escape", "q", "ctrl+c", "enter"].includes(key.name)) handle.done()
      else shown?.key?.(key.name)
    },
  }
}

function brokenLine(line: TextLine, width: number): TextLine[] {
  const gutter = Math.min(line.gutter ?? 0, width >> 1)
  const [first = "", ...more] = hardWrap(line.text.slice(gutter), width - gutter)
  const indent = " ".repeat(gutter)
  return [line.text.slice(0, gutter) + first, ...more.map((text) => indent + text)].map((text) => ({ ...line, text }))
}

function problemPage(title: string, error: unknown): TextPage {
  return { title, lines: [{ text: error instanceof Error ? error.message : String(error) }] }
}

function pieceOf({ text, paint }: TextLine): LinePiece {
  return paint === undefined ? text : { text, paint }
}

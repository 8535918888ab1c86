// /help and ?: the commands, the keys and what can be typed, as pages.
import { pad, widthOf, wrap } from "../../model/text/sanitise.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../screen/overlay-host.ts"
import { KEY_ACTIONS, KEYS, type Keys } from "../terminal/key-map.ts"
import { type LinePiece, makeLine, piece } from "../text/line.ts"
import { makeFrame } from "./frame/frame.ts"

export interface HelpContent {
  commands: readonly { name: string; hint: string; about: string }[]
  keys: Keys
}

type Row = readonly [left: string, right: string]

interface HelpPage {
  title: string
  rows: readonly Row[]
}

const TYPED: readonly Row[] = [
  ["enter", "send; while the agent works, steer it"],
  ["shift+enter", "new line (or alt+enter, ctrl+j, \\ and enter)"],
  ["up, down", "what you typed before"],
  ["ctrl+-", "undo in the editor"],
  ["@", "mention a file or a folder"],
  ["!", "run a command yourself"],
  ["/", "a command; below a draft, on its own line"],
]

export function helpPages({ commands, keys }: HelpContent): HelpPage[] {
  const named = commands.map(({ name, hint, about }): Row => [`/${name}${hint === "" ? "" : ` ${hint}`}`, about])
  const own = KEY_ACTIONS.map((action): Row => [keys[action].join(", "), KEYS[action].about])
  return [
    { title: "Commands", rows: named },
    { title: "Keys", rows: [...own, ...TYPED] },
  ]
}

export async function openHelp(host: OverlayHost, parts: HelpContent): Promise<void> {
  await host.showOverlay<void>((handle) => makeHelp(handle, parts))
}

function makeHelp(handle: OverlayHandle<void>, parts: HelpContent): Overlay {
  const { theme } = handle
  const pages = helpPages(parts)
  let at = 0
  let top = 0
  let room = 10
  let size = 0
  return {
    render(width, height) {
      const { rows } = pages[at] as HelpPage
      const lines = rows.flatMap((row) => rowLines(row, width))
      const title = pages.flatMap(({ title: name }, i): LinePiece[] => [
        piece(i === at ? `[${name}]` : ` ${name} `, i === at ? theme.strong : theme.quiet),
        " ",
      ])
      const body = (free: number) => {
        room = free
        size = lines.length
        top = Math.max(0, Math.min(top, size - room))
        return lines.slice(top, top + room)
      }
      const place = lines.length > height - 4 ? [piece("↑↓ scroll", theme.quiet)] : []
      const keys = [
        ["Esc", "leave"],
        ["Tab ←→", "other page"],
        ["↑↓ PgUp PgDn", "scroll"],
      ] as const
      return makeFrame(theme, { title, right: place, body, keys, keyRows: 1 }, width, height)
    },
    key({ name }) {
      if (["escape", "q", "ctrl+c", "enter", "?"].includes(name)) handle.done()
      else if (name === "tab" || name === "right" || name === "left" || name === "shift+tab") {
        at = (at + 1) % pages.length
        top = 0
      } else if (name === "up") top--
      else if (name === "down") top++
      else if (name === "pageUp") top -= room - 1
      else if (name === "pageDown" || name === "space") top += room - 1
      else if (name === "home") top = 0
      else if (name === "end") top = size
    },
  }

  function rowLines([left, right]: Row, width: number): string[] {
    const wide = width >= WIDE ? LEFT : NARROW
    const [first = "", ...rest] = wrap(right, Math.max(10, width - wide - 3))
    const indent = " ".repeat(wide + 3)
    const name = (text: string) => piece(text, theme.key)
    const more = rest.map((line) => makeLine([indent, line], width))
    if (widthOf(left) > wide) return [makeLine(["  ", name(left)], width), makeLine([indent, first], width), ...more]
    return [makeLine(["  ", name(pad(left, wide)), " ", first], width), ...more]
  }
}

/** The width for names, on a wide screen and on a narrow one. */
const LEFT = 28
const NARROW = 16
const WIDE = 76

// A terminal without a window: what the program writes is drawn as a real one would, and can be read.
import xterm from "@xterm/headless"
import { ESC, type Terminal, type TerminalHandlers } from "../../src/tui/terminal/port.ts"
import { within } from "../within.ts"

const CURSOR_SWITCH = new RegExp(`${ESC}\\[\\?25[hl]`, "g")

export interface Headless {
  terminal: Terminal
  /** All that was ever written, raw. */
  written(): string
  /** The lines on the screen, without trailing space. */
  screen(): string[]
  /** The scrollback and the screen. */
  all(): string[]
  cursor(): { row: number; column: number; shown: boolean }
  title(): string
  /** The column of the first cell of `text` on the screen, with its styles. */
  styleOf(text: string): { dim: boolean; bold: boolean } | undefined
  send(data: string): void
  resize(columns: number, rows: number): void
  close(): void
  /** Resolves once `met` holds for what is on the screen. */
  until(met: () => boolean): Promise<void>
  readonly started: boolean
}

export function makeHeadless(columns = 80, rows = 24): Headless {
  const term = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true })
  let handlers: TerminalHandlers | undefined
  let raw = ""
  let title = ""
  let shown = true
  const waiting = new Set<() => void>()
  const check = () => {
    for (const each of waiting) each()
  }
  term.onTitleChange((text) => {
    title = text
  })
  term.onData((data) => handlers?.input(data))
  const write = (text: string) => {
    raw += text
    for (const [switched] of text.matchAll(CURSOR_SWITCH)) shown = switched.endsWith("h")
    term.write(text, check)
  }
  const line = (row: number) => term.buffer.active.getLine(row)?.translateToString(true) ?? ""
  const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => line(from + i))

  return {
    terminal: {
      get columns() {
        return term.cols
      },
      get rows() {
        return term.rows
      },
      start(given) {
        handlers = given
      },
      stop() {
        handlers = undefined
      },
      write,
    },
    written: () => raw,
    screen: () => lines(term.buffer.active.viewportY, term.buffer.active.viewportY + term.rows),
    all: () => lines(0, term.buffer.active.length),
    cursor: () => ({ row: term.buffer.active.cursorY, column: term.buffer.active.cursorX, shown }),
    title: () => title,
    styleOf(text) {
      const buffer = term.buffer.active
      for (let row = buffer.length - 1; row >= 0; row--) {
        const column = line(row).indexOf(text)
        const cell = column === -1 ? undefined : buffer.getLine(row)?.getCell(column)
        if (cell !== undefined) return { dim: cell.isDim() !== 0, bold: cell.isBold() !== 0 }
      }
      return undefined
    },
    send: (data) => handlers?.input(data),
    resize(wide, high) {
      term.resize(wide, high)
      handlers?.resize()
    },
    close: () => handlers?.closed(),
    until(met) {
      const seen = new Promise<void>((settle) => {
        const look = () => {
          if (!met()) return
          waiting.delete(look)
          settle()
        }
        waiting.add(look)
        look()
      })
      return within(seen, () => lines(0, term.buffer.active.length).join("\n"))
    },
    get started() {
      return handlers !== undefined
    },
  }
}

// What is on the terminal: a live area at the end, and above it lines that belong to the terminal's own scrollback.
// Nothing above the live area is ever cleared: not on a change of width, not at the end.
import type { Row } from "../../history/tree/tree.ts"
import type { SettledLine } from "../conversation/transcript.ts"
import { guard } from "../terminal/guard-line.ts"
import type { KeyPress } from "../terminal/keys.ts"
import { ESC, moveRows, SEQUENCE, type Terminal, toColumn } from "../terminal/port.ts"
import { styledWidth } from "../terminal/styled-width.ts"
import type { Theme } from "../terminal/theme.ts"
import { makePage, type Page } from "./alternate-screen.ts"
import { makeLinesAbove } from "./lines-above.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "./overlay-host.ts"

export interface Frame {
  /** Finished: printed once, above the live area, and forgotten. */
  settled: readonly SettledLine[]
  /** More is ready than one frame can take: another follows. */
  more: boolean
  /** Redrawn whenever it changes. Shorter than the screen. */
  live: string[]
  /** Where you type, in `live`; if absent, the cursor is hidden. */
  cursor?: { row: number; column: number }
}

export interface Screen extends OverlayHost {
  readonly columns: number
  readonly rows: number
  /** Draws a frame soon: at once if the last one was long enough ago. */
  redraw(): void
  /** Draws now. */
  draw(): void
  /** Starts below whatever is on the terminal. */
  begin(): void
  /** Removes the live area, and leaves the cursor below what was printed. */
  end(): void
  resized(): void
  /** Dims printed lines that are still on the screen and come after this row. */
  dimAfter(row: Row): void
  /** Whether the input is the terminal's answer to one of our questions. */
  takesAnswer(data: string): boolean
  /** Whether the key is for an overlay. */
  takesKey(key: KeyPress): boolean
  readonly hasOverlay: boolean
}

export interface ScreenDeps {
  terminal: Terminal
  theme: Theme
  /** For the ages that overlays show. */
  now: () => number
  /** Never steps back, so that the next frame is never far away. */
  elapsed: () => number
  frame: (width: number, height: number) => Frame
}

const FRAME_MS = 16
const CURSOR_AT = new RegExp(`^${ESC}\\[(\\d+);(\\d+)R$`)
/** How long a terminal may take to report its width. */
const ANSWER_MS = 250

export function makeScreen(parts: ScreenDeps): Screen {
  const { terminal, theme } = parts
  let rows: string[] = []
  let cursor = { row: 0, column: 0 }
  let width = terminal.columns
  let shown = false
  let drawn = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let drawings = 0
  let asked = 0
  const pages: Page[] = []
  /** What we asked the terminal and it has not answered yet, in order. */
  const questions: ("cursor" | "width")[] = []
  /** Nothing is drawn until the terminal's real width is known. */
  let measuring: NodeJS.Timeout | undefined
  /** The reported width, until it is drawn. */
  let measured: number | undefined
  const above = makeLinesAbove(theme)

  /**
   * Back to the first row of the live area, even if a narrower terminal has wrapped its lines again. Without a width
   * this is a guess, and too few rows are better than too many: what is above is not ours.
   */
  function toTop(columns = Number.POSITIVE_INFINITY): string {
    const broken = (line: string) => Math.max(1, Math.ceil(styledWidth(line) / columns))
    const above = rows.slice(0, cursor.row).reduce((sum, line) => sum + broken(line), 0)
    return `\r${moveRows(-(above + Math.floor(cursor.column / columns)))}`
  }

  function paint(frame: Frame, columns: number): string {
    let out = ""
    if (columns !== width || measured !== undefined) {
      out += toTop(measured) + SEQUENCE.clearBelow
      measured = undefined
      rows = []
      cursor = { row: 0, column: 0 }
      width = columns
      above.forget()
    }
    for (const line of frame.settled) above.add(line)
    const lines = [...frame.settled.map(({ text }) => text), ...frame.live].map((line) => guard(line, columns))
    if (lines.length === 0) lines.push("")
    const first = lines.findIndex((line, i) => line !== rows[i])
    let at = cursor.row
    if (first !== -1) {
      const last = lines.findLastIndex((line, i) => line !== rows[i])
      const start = Math.min(first, Math.max(0, rows.length - 1))
      out += `\r${moveRows(start - at)}`
      for (let i = start; i <= last; i++) {
        if (i > start) out += "\r\n"
        if (lines[i] !== rows[i])
          out += (rows[i] ?? "") === "" ? (lines[i] ?? "") : SEQUENCE.clearLine + (lines[i] ?? "")
      }
      at = last
    }
    if (rows.length > lines.length) {
      out += `${moveRows(lines.length - at)}\r${SEQUENCE.clearBelow}`
      at = lines.length
    }
    const settled = Math.min(frame.settled.length, lines.length - 1)
    const target = frame.cursor === undefined ? lines.length - 1 : settled + frame.cursor.row
    const column = frame.cursor?.column ?? 0
    out += moveRows(target - at) + toColumn(column)
    rows = lines.slice(settled)
    cursor = { row: target - settled, column }
    return out
  }

  function draw(): void {
    if (drawFrame()) redraw()
    else askCursor()
  }

  /** True if another frame is needed for what is ready. */
  function drawFrame(): boolean {
    if (!shown || measuring !== undefined) return false
    clearTimeout(timer)
    timer = undefined
    drawn = parts.elapsed()
    drawings++
    const page = pages.at(-1)
    const { rows: height } = terminal
    const columns = Math.min(terminal.columns, measured ?? Number.POSITIVE_INFINITY)
    const frame = page === undefined ? parts.frame(columns, height) : undefined
    const body = frame === undefined ? page?.paint(columns, height) : paint(frame, columns) + cursorSwitch(frame)
    if (body !== undefined && body !== "") terminal.write(SEQUENCE.beginFrame + body + SEQUENCE.endFrame)
    return frame?.more === true
  }

  /**
   * Asks for the cursor's position, if lines wait to be dimmed. An overlay has its own cursor: once it closes,
   * everything is drawn again.
   */
  function askCursor(): void {
    if (!above.waiting || !shown || measuring !== undefined || pages.length > 0 || questions.includes("cursor")) return
    asked = drawings
    questions.push("cursor")
    terminal.write(SEQUENCE.askCursor)
  }

  /**
   * Notice of a resize comes late, and the next one may have happened already (a window being dragged, tmux): only the
   * terminal knows how it has wrapped the lines.
   */
  function measure(): void {
    questions.push("width")
    clearTimeout(measuring)
    measuring = setTimeout(() => drawMeasured(undefined), ANSWER_MS)
    terminal.write(SEQUENCE.askWidth)
  }

  function drawMeasured(columns: number | undefined): void {
    clearTimeout(measuring)
    measuring = undefined
    measured = columns
    draw()
  }

  let cursorShown = true
  function cursorSwitch(frame: Frame): string {
    const wanted = frame.cursor !== undefined
    if (wanted === cursorShown) return ""
    cursorShown = wanted
    return wanted ? SEQUENCE.showCursor : SEQUENCE.hideCursor
  }

  function redraw(): void {
    if (!shown || timer !== undefined) return
    timer = setTimeout(draw, Math.max(0, FRAME_MS - (parts.elapsed() - drawn)))
  }

  return {
    get columns() {
      return terminal.columns
    },
    get rows() {
      return terminal.rows
    },
    redraw,
    draw,
    begin() {
      shown = true
      above.forget()
      rows = []
      cursor = { row: 0, column: 0 }
      width = terminal.columns
      cursorShown = true
      draw()
    },
    end() {
      if (!shown) return
      for (const page of pages.splice(0).reverse()) page.close()
      clearTimeout(measuring)
      measuring = undefined
      let more = true
      while (more) more = drawFrame()
      shown = false
      clearTimeout(timer)
      timer = undefined
      terminal.write(`${toTop()}${SEQUENCE.clearBelow}${SEQUENCE.showCursor}`)
      rows = []
    },
    resized() {
      const page = pages.at(-1)
      page?.forget()
      if (page === undefined && shown) measure()
      else draw()
    },
    dimAfter(row) {
      if (above.dimAfter(row)) redraw()
    },
    takesAnswer(data) {
      const [, at, column] = CURSOR_AT.exec(data) ?? []
      if (at === undefined || questions.length === 0) return false
      if (questions.shift() === "width") {
        if (measuring !== undefined && !questions.includes("width")) drawMeasured(Number(column))
        return true
      }
      if (!above.waiting || !shown || pages.length > 0) return true
      // The answer describes a screen that no longer exists: ask again.
      if (asked !== drawings) askCursor()
      else terminal.write(above.repaint(Number(at) - 1 - cursor.row, cursor, width))
      return true
    },
    get hasOverlay() {
      return pages.length > 0
    },
    takesKey(key) {
      const page = pages.at(-1)
      page?.overlay.key(key)
      if (page !== undefined) redraw()
      return page !== undefined
    },
    showOverlay<Result>(make: (handle: OverlayHandle<Result>) => Overlay) {
      return new Promise<Result | undefined>((settle) => {
        const first = pages.length === 0
        const close = (result: Result | undefined) => {
          const at = pages.indexOf(page)
          if (at === -1) return
          pages.splice(at, 1)
          settle(result)
          page.close()
          redraw()
        }
        const overlay = make({ theme, redraw, now: parts.now, elapsed: parts.elapsed, done: close })
        const page = makePage({
          overlay,
          leave: () => {
            if (pages.length === 0) terminal.write(SEQUENCE.leavePage + (cursorShown ? SEQUENCE.showCursor : ""))
            else pages.at(-1)?.forget()
            overlay.close?.()
            settle(undefined)
          },
        })
        pages.push(page)
        if (first) terminal.write(SEQUENCE.enterPage + SEQUENCE.hideCursor)
        redraw()
      })
    },
  }
}

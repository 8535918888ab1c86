// The terminal as the screen knows it: keys come in, text goes out, and it has a size.

export interface TerminalHandlers {
  /** One key, one paste or one answer of the terminal at a time. */
  input(data: string): void
  resize(): void
  /** The terminal is gone: nobody reads the output. */
  closed(): void
}

/**
 * Contract: between `start` and `stop` keys arrive one by one (raw mode). `stop` restores the terminal, synchronously,
 * and may be called at any time, even twice. `start` after `stop` works.
 */
export interface Terminal {
  readonly columns: number
  readonly rows: number
  start(handlers: TerminalHandlers): void
  stop(): void
  write(text: string): void
}

export const ESC = "\u001b"

export const SEQUENCE = {
  showCursor: "\u001b[?25h",
  hideCursor: "\u001b[?25l",
  /** The terminal shows everything between these two at once. */
  beginFrame: "\u001b[?2026h",
  endFrame: "\u001b[?2026l",
  clearLine: "\u001b[2K",
  clearBelow: "\u001b[J",
  enterPage: "\u001b[?1049h",
  leavePage: "\u001b[?1049l",
  askCursor: "\u001b[6n",
  /** The cursor's position after moving as far right as possible: the current width. */
  askWidth: "\u001b7\u001b[999C\u001b[6n\u001b8",
  focusIn: "\u001b[I",
  focusOut: "\u001b[O",
  bell: "\u0007",
} as const

/** Relative, so that it does not matter where on the screen we are. */
export function moveRows(rows: number): string {
  if (rows === 0) return ""
  return rows > 0 ? `\u001b[${rows}B` : `\u001b[${-rows}A`
}

export function toColumn(column: number): string {
  return `\u001b[${column + 1}G`
}

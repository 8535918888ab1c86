// One overlay on the terminal's alternate screen: the main screen comes back untouched.
import { guard } from "../terminal/guard-line.ts"
import { SEQUENCE } from "../terminal/port.ts"
import type { Overlay } from "./overlay-host.ts"

export interface Page {
  readonly overlay: Overlay
  /** What to write so that the screen shows the overlay as it is now. */
  paint(width: number, height: number): string
  /** The content of the screen is unknown: the next paint draws all of it. */
  forget(): void
  close(): void
}

export function makePage(parts: { overlay: Overlay; leave: () => void }): Page {
  const { overlay } = parts
  let rows: string[] | undefined
  let closed = false
  return {
    overlay,
    paint(width, height) {
      const lines = overlay
        .render(width, height)
        .slice(0, height)
        .map((line) => guard(line, width))
      let out = rows === undefined ? "\u001b[H\u001b[2J" : ""
      const before = rows ?? []
      for (let i = 0; i < Math.max(lines.length, before.length); i++) {
        if (lines[i] === before[i] || (lines[i] ?? "") === (before[i] ?? "")) continue
        out += `\u001b[${i + 1};1H${SEQUENCE.clearLine}${lines[i] ?? ""}`
      }
      rows = lines
      return out
    },
    forget() {
      rows = undefined
    },
    close() {
      if (closed) return
      closed = true
      parts.leave()
    },
  }
}

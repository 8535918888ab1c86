// The lines above the live area that may still be on the screen: the only part of the scrollback that can be changed.
import type { Row } from "../../history/tree/tree.ts"
import { dimmed, type SettledLine } from "../conversation/transcript.ts"
import { guard } from "../terminal/guard-line.ts"
import { moveRows, SEQUENCE, toColumn } from "../terminal/port.ts"
import type { Theme } from "../terminal/theme.ts"

export interface LinesAbove {
  add(line: SettledLine): void
  /** What is above is unknown, after a change of width or another program. */
  forget(): void
  /** True if there is something to repaint, once we know how much of it is on the screen. */
  dimAfter(row: Row): boolean
  readonly waiting: boolean
  /** `visible`: how many screen rows are above the live area. Starts and ends at the cursor in the live area. */
  repaint(visible: number, cursor: { row: number; column: number }, width: number): string
}

interface Printed extends SettledLine {
  dim: "no" | "wanted" | "done"
}

/** No screen is taller. */
const MOST = 500

export function makeLinesAbove(theme: Theme): LinesAbove {
  let printed: Printed[] = []
  let waiting = false
  return {
    add(line) {
      printed.push({ ...line, dim: "no" })
      if (printed.length > 2 * MOST) printed = printed.slice(-MOST)
    },
    forget() {
      printed = []
      waiting = false
    },
    dimAfter(row) {
      for (const line of printed) {
        if (line.row <= row || line.dim !== "no" || line.text === "") continue
        line.dim = "wanted"
        waiting = true
      }
      return waiting
    },
    get waiting() {
      return waiting
    },
    repaint(visible, cursor, width) {
      waiting = false
      let out = ""
      let at = 0
      const top = Math.max(0, printed.length - Math.max(0, visible))
      for (let i = top; i < printed.length; i++) {
        const line = printed[i] as Printed
        if (line.dim !== "wanted") continue
        const target = i - printed.length - cursor.row
        out += `${moveRows(target - at)}\r${SEQUENCE.clearLine}${guard(dimmed(line.text, theme), width)}`
        at = target
        line.dim = "done"
      }
      if (out === "") return ""
      return SEQUENCE.beginFrame + out + moveRows(-at) + toColumn(cursor.column) + SEQUENCE.endFrame
    },
  }
}

// How many columns a line takes on the screen. pi-tui's tables for all the rest of Unicode take 30 ms to make, which is a
// third of the time until the first frame: they are for lines that need them.
import { isNarrow } from "../../model/text/width.ts"
import { visibleWidth } from "./pi.ts"

/** A style, as a pattern. */
export const STYLE = "\u001b\\[[0-9;]*m"
const STYLES = new RegExp(STYLE, "g")

export function columnsOf(line: string): number {
  const bare = withoutStyles(line)
  return isNarrow(bare) ? bare.length : visibleWidth(line)
}

/** The line without its styles. */
export function withoutStyles(line: string): string {
  return line.includes("\u001b") ? line.replace(STYLES, "") : line
}

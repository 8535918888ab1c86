// How many columns a line with styles takes on the screen.
import { widthOf } from "../../model/text/sanitise.ts"

/** A style, as a pattern. */
export const STYLE = "\u001b\\[[0-9;]*m"
const STYLES = new RegExp(STYLE, "g")

export function styledWidth(line: string): number {
  return widthOf(withoutStyles(line))
}

/** The line without its styles. */
export function withoutStyles(line: string): string {
  return line.includes("\u001b") ? line.replace(STYLES, "") : line
}

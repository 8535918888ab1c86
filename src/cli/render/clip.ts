// Cuts text to the columns of a terminal.
import { sanitiseLine } from "./sanitise.ts"

/** One line of at most `width` columns; what is cut off is shown as an ellipsis. */
export function clipLine(text: string, width: number): string {
  const line = sanitiseLine(text)
  const characters = [...line]
  return characters.length <= width ? line : `${characters.slice(0, Math.max(0, width - 1)).join("")}…`
}

// The name of an entry, as stored and as looked up: what is shown can be typed.
import { sanitiseLine } from "../text/sanitise.ts"

/** Invisible characters that nobody types: marks of direction, spaces without width. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u2060\ufeff]/gu

/** Contract: one line, composed, without characters that are not seen. May be empty. */
export function labelName(text: string): string {
  return sanitiseLine(text.normalize("NFC").replace(UNSEEN, ""))
}

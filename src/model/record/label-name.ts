// The name of an entry, normalised when it is stored and when it is looked up: what you see is what you can type.
import { sanitiseLine } from "../text/sanitise.ts"

/** Invisible characters that nobody types: direction marks, zero-width spaces. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u2060\ufeff]/gu

/** Contract: one line, composed, without invisible characters. May be empty. */
export function labelName(text: string): string {
  return sanitiseLine(text.normalize("NFC").replace(UNSEEN, ""))
}

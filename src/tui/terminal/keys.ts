// A key as the rest of the program knows it: a name, and what it types.
import { decodeKittyPrintable, isKeyRelease, parseKey } from "./pi.ts"

export interface KeyPress {
  /** `up`, `ctrl+r`, `shift+tab`, `escape`, `enter`, `a`; `paste`; "" if unknown. */
  name: string
  /** What it types: a character, or what was pasted. */
  text: string | undefined
  /** As received from the terminal. */
  data: string
}

const PASTE_START = "\u001b[200~"
const PASTE_END = "\u001b[201~"

/** Undefined for a key release. */
export function keyPress(data: string): KeyPress | undefined {
  if (data.startsWith(PASTE_START) && data.endsWith(PASTE_END)) {
    return { name: "paste", text: data.slice(PASTE_START.length, -PASTE_END.length), data }
  }
  if (isKeyRelease(data)) return undefined
  const typed = decodeKittyPrintable(data) ?? (isTyped(data) ? data : undefined)
  return { name: nameOf(data), text: typed, data }
}

/** As tmux, screen and the Linux console send them. */
const OTHER_NAMES: Readonly<Record<string, string>> = { "\u001b[1~": "home", "\u001b[4~": "end" }

function nameOf(data: string): string {
  const name = parseKey(data) ?? OTHER_NAMES[data] ?? (isTyped(data) ? data : "")
  return name === "esc" ? "escape" : name === "return" ? "enter" : name
}

function isTyped(data: string): boolean {
  return data !== "" && !/\p{Cc}/u.test(data)
}

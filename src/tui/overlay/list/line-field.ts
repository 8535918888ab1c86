// One line of input: a query, a label.
import { sanitiseLine } from "../../../model/text/sanitise.ts"
import type { KeyPress } from "../../terminal/keys.ts"
import { charactersOf } from "../../text/hard-wrap.ts"

/** The text after a key; undefined if the key does not type. */
export function editLineField(text: string, key: KeyPress): string | undefined {
  switch (key.name) {
    case "backspace":
      return charactersOf(text).slice(0, -1).join("")
    case "ctrl+w":
    case "alt+backspace":
      return text.replace(/\S*\s*$/, "")
    case "ctrl+u":
      return ""
    default:
      if (key.text === undefined) return undefined
      // What is pasted may contain several lines; a space typed at the end must stay.
      return key.name === "paste" ? text + sanitiseLine(key.text) : text + key.text
  }
}

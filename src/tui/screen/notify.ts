// A bell or a message on the desktop, for a person who looks elsewhere.
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { unreachable } from "../../model/unreachable.ts"
import { SEQUENCE } from "../terminal/port.ts"

/** OSC 9 for iTerm2, kitty and Windows; OSC 777 for VTE, foot and others; a terminal ignores what it does not know. */
export function notification(how: "bell" | "desktop" | "none", text: string): string {
  switch (how) {
    case "none":
      return ""
    case "bell":
      return SEQUENCE.bell
    case "desktop": {
      const safe = sanitiseLine(text).replaceAll(";", ",").slice(0, 120)
      return `\u001b]9;${safe}\u0007\u001b]777;notify;retcon;${safe}\u0007`
    }
    default:
      return unreachable(how)
  }
}

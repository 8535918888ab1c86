// For the list of sessions: which of them contain a text, with the first match.
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { bytePattern, textPattern } from "../../store/file/folder/grep-lines.ts"
import type { SearchContents } from "../../tui/overlay/sessions/contents.ts"
import type { Cli } from "../port/cli.ts"
import { findIn } from "../search/find-each.ts"

export function searchContents(cli: Cli): SearchContents {
  return async (text, sessions, found, signal) => {
    const patterns = { bytes: bytePattern(text, "any"), text: textPattern(text, "any") }
    for (const session of sessions) {
      if (signal.aborted) return
      const tick = () => new Promise<void>((settle) => setImmediate(settle))
      const [hit] = await findIn(cli, session, patterns, tick)
      if (hit !== undefined) found(session.id, sanitiseLine(`${hit.before}${hit.match}${hit.after}`))
    }
  }
}

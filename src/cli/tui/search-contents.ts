// For the list of sessions: which of them contain a text, with the first match.
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { SearchContents } from "../../tui/overlay/sessions/contents.ts"
import type { Cli } from "../port/cli.ts"
import { searchApart } from "../search/search-apart.ts"

export function searchContents(cli: Cli): SearchContents {
  return async (text, sessions, found, signal) => {
    for await (const { session, hits } of searchApart(cli, { sessions }, { text, cases: "any", most: 1 }, signal))
      for (const { before, match, after } of hits) found(session.id, sanitiseLine(`${before}${match}${after}`))
  }
}

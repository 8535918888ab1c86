// For the list of sessions: which of them contain a text, with the first match.
import { searchApart } from "../../app/search/search-apart.ts"
import { leadIn } from "../../model/text/lead-in.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { SearchContents } from "../../tui/overlay/sessions/contents.ts"
import type { Cli } from "../port/cli.ts"

/** Characters before the match: a row may have room for few more. */
const LEAD_IN = 24

export function searchContents(cli: Cli): SearchContents {
  return async (text, sessions, found, signal) => {
    for await (const { session, hits } of searchApart(cli, sessions, { text, cases: "any", most: 1 }, signal))
      for (const { before, match, after } of hits)
        found(session.id, sanitiseLine(`${leadIn(before, LEAD_IN)}${match}${after}`))
  }
}

// For the list of sessions: which of them have words, with the best place.
import { libraryApart } from "../../app/library/library-apart.ts"
import type { SearchContents } from "../../tui/overlay/sessions/contents.ts"
import type { Cli } from "../port/cli.ts"

const MOST = 200

export function searchContents(cli: Cli): SearchContents {
  return async (text, scope, found, signal) => {
    const query = { text, limit: MOST, ofOne: 1, ...(scope === "here" && { cwd: cli.cwd }) }
    const job = { signal, found: (session: Parameters<typeof found>[0]) => found(session, undefined) }
    const { sessions } = await libraryApart(cli).find(query, job)
    for (const { session, hits } of sessions) found(session, hits[0]?.text)
  }
}

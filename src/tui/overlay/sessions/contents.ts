// Searches the contents of sessions in addition to their titles: for the newest query only.
import type { SessionId } from "../../../model/id.ts"
import type { SessionListing } from "../../../protocol/shapes.ts"
import { attempt } from "../frame/attempt.ts"

/** Contract: reports each session whose contents include the text, with an excerpt; stops when the signal aborts. */
export type SearchContents = (
  text: string,
  sessions: readonly SessionListing[],
  found: (session: SessionId, excerpt: string) => void,
  signal: AbortSignal,
) => Promise<void>

export interface Contents {
  /** Where a session's contents match the query. */
  of(session: SessionId): string | undefined
  readonly searching: boolean
  search(text: string, sessions: readonly SessionListing[]): void
  stop(): void
}

/** Shorter texts occur in nearly every session. */
const SHORTEST = 3

export function makeContents(searchContents: SearchContents | undefined, changed: () => void): Contents {
  let controller = new AbortController()
  let found = new Map<SessionId, string>()
  let searching = false

  async function look(text: string, sessions: readonly SessionListing[], search: SearchContents): Promise<void> {
    const { signal } = controller
    const own = found
    searching = true
    const tell = (session: SessionId, excerpt: string) => {
      if (signal.aborted || own.has(session)) return
      own.set(session, excerpt)
      changed()
    }
    await attempt(() => search(text, sessions, tell, signal))
    if (signal.aborted) return
    searching = false
    changed()
  }

  function stop(): void {
    controller.abort()
    controller = new AbortController()
    found = new Map()
    searching = false
  }

  return {
    of: (session) => found.get(session),
    get searching() {
      return searching
    },
    search(text, sessions) {
      stop()
      if (searchContents !== undefined && text.trim().length >= SHORTEST) {
        void look(text.trim(), sessions, searchContents)
      }
    },
    stop,
  }
}

// Searches the contents of sessions in addition to their titles: for the newest query only.
import type { SessionId } from "../../../model/id.ts"
import { attempt } from "../frame/attempt.ts"

/**
 * Contract: reports each session whose contents have the words, at first perhaps without an excerpt; stops when the signal aborts.
 */
export type SearchContents = (
  text: string,
  scope: "here" | "all",
  found: (session: SessionId, excerpt: string | undefined) => void,
  signal: AbortSignal,
) => Promise<void>

export interface Contents {
  /** Where a session's contents match the query. */
  of(session: SessionId): string | undefined
  readonly searching: boolean
  search(text: string, scope: "here" | "all"): void
  stop(): void
}

/** Shorter texts occur in nearly every session. */
const SHORTEST = 3

export function makeContents(searchContents: SearchContents | undefined, changed: () => void): Contents {
  let controller = new AbortController()
  let found = new Map<SessionId, string>()
  let searching = false

  async function look(text: string, scope: "here" | "all", search: SearchContents): Promise<void> {
    const { signal } = controller
    const own = found
    searching = true
    const tell = (session: SessionId, excerpt: string | undefined) => {
      if (signal.aborted || (excerpt === undefined && own.has(session))) return
      own.set(session, excerpt ?? "")
      changed()
    }
    await attempt(() => search(text, scope, tell, signal))
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
    search(text, scope) {
      stop()
      if (searchContents !== undefined && text.trim().length >= SHORTEST) {
        void look(text.trim(), scope, searchContents)
      }
    },
    stop,
  }
}

// Which sessions have a text in them.
import { findSessions } from "../../find/find.ts"
import { exactly } from "../../find/query.ts"
import type { AnyStore } from "../../foreign/any-store.ts"
import type { SessionSummary } from "../../store/port.ts"
import { searchedSession } from "./searched-session.ts"

export interface MentionsOptions {
  /** Called with the bytes searched so far; it may take its time. */
  tick?: (bytes: number) => Promise<void>
  /** Told which session could not be searched, and why. */
  skipped?: (session: SessionSummary, problem: string) => void
}

/** Contract: those of the sessions that have the text, in their order. */
export async function mentioning(
  store: AnyStore,
  sessions: readonly SessionSummary[],
  text: string,
  { tick, skipped }: MentionsOptions = {},
): Promise<SessionSummary[]> {
  const searched = sessions.map((each) => searchedSession(store, each))
  const { found } = findSessions(searched, exactly(text, "same"), {
    now: 0,
    tick,
    skipped: skipped && (({ summary }, problem) => skipped(summary, problem)),
  })
  const having = new Set<SessionSummary>()
  for await (const { session } of found) having.add(session.summary)
  return sessions.filter((session) => having.has(session))
}

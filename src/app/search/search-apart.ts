// Searches given sessions in a process of its own.
import type { SessionSummary } from "../../store/port.ts"
import { type ApartDeps, workApart } from "../port/apart.ts"
import type { FindOptions, Found } from "./find-each.ts"
import type { SearchedSession } from "./find-in-session.ts"

export interface SearchTask {
  type: "search"
  sessions: readonly SearchedSession[]
  options: Omit<FindOptions, "tick" | "skipped">
}

export type SearchNews<Session extends SearchedSession = SearchedSession> =
  | { found: Found<Session> }
  | { skipped: SearchedSession; problem: string }

/** Contract: as `findEach`; ends early, and with it the process, when the signal aborts or the caller takes no more. */
export async function* searchApart<Session extends SearchedSession = SessionSummary>(
  deps: ApartDeps,
  sessions: readonly Session[],
  { skipped, ...options }: Omit<FindOptions, "tick">,
  signal: AbortSignal,
): AsyncGenerator<Found<Session>> {
  const task: SearchTask = { type: "search", sessions, options }
  for await (const news of workApart<SearchNews<Session>>(deps, task, signal)) {
    if ("found" in news) yield news.found
    else skipped?.(news.skipped, news.problem)
  }
}

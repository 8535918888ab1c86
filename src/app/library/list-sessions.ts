// The list of sessions, a page at a time.
import type { SessionPage, SessionQuery } from "../../protocol/host.ts"
import type { SessionListing } from "../../protocol/shapes.ts"
import { newestFirst } from "../../store/log-summary.ts"
import type { SessionStore } from "../../store/port.ts"

/** Unless the query names an agent or asks for all, only our own sessions are listed. */
export async function listSessions(store: SessionStore, query: SessionQuery): Promise<SessionPage> {
  const { cwd, agent, text, after, limit = Number.POSITIVE_INFINITY } = query
  const all = query.agents === "all" || (agent !== undefined && agent !== "retcon")
  const found = await store.list({ ...(cwd !== undefined && { cwd }), ...(all && { agents: "all" as const }) })
  const wanted = found
    .map(
      ({ from, busyHere: _busyHere, ...session }): SessionListing => ({
        agent: "retcon",
        ...session,
        ...(from && { from }),
      }),
    )
    .filter((session) => (agent === undefined || session.agent === agent) && holds(session, text))
  const rest = after === undefined ? wanted : wanted.filter((session) => isAfter(session, placeOf(after)))
  const sessions = rest.slice(0, limit)
  const last = rest.length > sessions.length ? sessions.at(-1) : undefined
  const unreadable = all ? (store.unreadable?.() ?? []) : []
  return {
    sessions,
    next: last === undefined ? null : `${last.updated} ${last.id}`,
    ...(unreadable.length > 0 && { unreadable: [...unreadable] }),
  }
}

function isAfter(session: SessionListing, place: { updated: string; id: string }): boolean {
  return session.id !== place.id && newestFirst(place, session) < 0
}

/** The place that `next` names. It stays valid even if that session disappears or changes. */
function placeOf(after: string): { updated: string; id: string } {
  const [updated = "", id = ""] = after.split(" ")
  return { updated, id }
}

function holds({ title, cwd, name, id }: SessionListing, text: string | undefined): boolean {
  if (text === undefined || text.trim() === "") return true
  const wanted = text.trim().toLowerCase()
  return [title, cwd, name ?? "", id].some((each) => each.toLowerCase().includes(wanted))
}

// The session that somebody means by a name: its id, part of that, its agent's own name for it, or a file.
import { resolve } from "node:path"
import type { AnyStore } from "../../foreign/any-store.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { parseSessionId, type SessionId, shortId } from "../../model/id.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { SessionAt } from "../../protocol/library.ts"
import { sessionsFolder } from "../../store/file/disk/layout.ts"
import { sessionFiles } from "../../store/file/folder/names.ts"
import type { SessionLog, SessionStore, SessionSummary } from "../../store/port.ts"
import type { AppDeps } from "../port/app-deps.ts"

/**
 * The session with this name, of any agent. For the id of one of ours, as retcon prints it, whole or short, other
 * agents' folders are not examined. Contract: throws `not-found` or `ambiguous`.
 */
export async function idNamed({ home, store }: AppDeps, name: string): Promise<SessionId> {
  const ours = [...new Set(sessionFiles(sessionsFolder(home)).map(({ id }) => id))]
  const typed = name.toLowerCase()
  const [printed, another] = ours.filter((id) => id === typed || shortId(id) === typed)
  if (printed !== undefined && another === undefined) return printed
  return matchSession([...ours.map((id) => ({ id })), ...(await store.foreign.list())], name)
}

/** Contract: throws what opening a log throws. */
export function openPlace(store: AnyStore, place: SessionAt): Promise<SessionLog> {
  return typeof place === "string" ? store.open(place) : store.openFile(place.path)
}

/** A session to run the agent in: its id, and a store that opens it by that id, also if it is in a file elsewhere. */
export interface WorkingSession {
  id: SessionId
  store: SessionStore
}

/** Contract: throws `not-found` or `ambiguous`, or what opening a log throws. */
export async function workingSession(deps: AppDeps, name: string, store: SessionStore): Promise<WorkingSession> {
  if (!isPath(name)) return { id: await idNamed(deps, name), store }
  const path = resolve(deps.cwd, name)
  const log = await deps.store.openFile(path)
  await log.close()
  const open = (id: SessionId) => (id === log.id ? deps.store.openFile(path) : store.open(id))
  return { id: log.id, store: { ...store, open } }
}

const SHORTEST = 4

/** Contract: `name` is an id or its beginning or end, in any case. Throws `not-found` or `ambiguous`. */
export function matchId(ids: readonly SessionId[], name: string): SessionId {
  return matchSession(
    ids.map((id) => ({ id })),
    name,
  )
}

/** The same, also by the agent's own name for a session, its beginning or end. */
export function matchSession(sessions: readonly Pick<SessionSummary, "id" | "name">[], name: string): SessionId {
  const whole = sessions.find((session) => session.name === name)
  if (whole !== undefined) return whole.id
  const part = name.toLowerCase()
  const exact = parseSessionId(part)
  if (exact !== undefined && sessions.some(({ id }) => id === exact)) return exact
  const fits = (text: string) => text.startsWith(part) || text.endsWith(part)
  const named = (session: { name?: string | undefined }) => {
    const own = session.name?.toLowerCase() ?? ""
    // Some agents begin every name alike, such as `session_`: nobody types that.
    return fits(own) || own.replace(/^[a-z]+_/, "").startsWith(part)
  }
  const all = sessions.filter((session) => session.id !== exact && (fits(session.id) || named(session)))
  const matches = part.length < SHORTEST ? [] : [...new Set(all.map(({ id }) => id))]
  const only = matches[0]
  if (only === undefined) throw new RetconError({ code: "not-found", what: "session", name: sanitiseLine(name) })
  if (matches.length > 1) throw new RetconError({ code: "ambiguous", what: "session", name, matches: apart(matches) })
  return only
}

/** The shortest ends of these ids that distinguish them. */
function apart(ids: readonly SessionId[]): string[] {
  let length = shortId(ids[0] ?? "").length
  while (length < 36 && new Set(ids.map((id) => id.slice(-length))).size < ids.length) length++
  return ids.map((id) => id.slice(-length))
}

export function isPath(name: string): boolean {
  return name.includes("/") || name.endsWith(".jsonl")
}

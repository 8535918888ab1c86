// A server as a Host: the page, a voice and scripts use it through the same port as in process.
import { RetconError } from "../model/failure/retcon-error.ts"
import type { SessionId } from "../model/id.ts"
import type { CreateRequest, Host, PromptInput, SessionPage, SessionQuery } from "../protocol/host.ts"
import type { Library } from "../protocol/library.ts"
import type { HostListEvent } from "../protocol/numbered-event.ts"
import { LIBRARY, operationsBy } from "../protocol/operations.ts"
import type { SessionListing } from "../protocol/shapes.ts"
import { type Api, asInProcess, askFor, makeApi } from "./api.ts"
import type { StreamEvent } from "./event-stream.ts"
import { type ConnectionState, follow, Pauses, type ServerConnection, timerWait } from "./follow.ts"
import { type OpenedSession, type RemoteSession, type RemoteWork, remoteSession } from "./remote-session.ts"

export interface ConnectOptions {
  /** The address of the server, such as http://127.0.0.1:4180 */
  url: string
  token: string
  /** The platform's own by default. */
  fetch?: typeof globalThis.fetch
  /** How to wait before the next attempt; with a timer by default. */
  wait?: ServerConnection["wait"]
}

export interface RemoteHost extends Host {
  /** All sessions on the server's machine. */
  readonly library: Library
  create(request: CreateRequest): Promise<RemoteWork>
  open(session: SessionId | { path: string }): Promise<RemoteSession>
  /** Whether the server answers. */
  readonly state: ConnectionState
  onState(listener: (state: ConnectionState) => void): () => void
  /** Closes all streams, for example while the tab is hidden, until `resume`, which then delivers what was missed, once. */
  pause(): void
  resume(): void
}

/** The largest page that the server returns. */
const PAGE = 1000

/** One page, or everything if there is no limit. */
async function listAll(api: Api, { agents, ...query }: SessionQuery): Promise<SessionPage> {
  const own = agents === "all" ? query : { agent: "retcon", ...query }
  if (own.limit !== undefined) return api.get<SessionPage>("sessions", own)
  const sessions: SessionPage["sessions"] = []
  for (let after = own.after; ; ) {
    const page = await api.get<SessionPage>("sessions", { ...own, after, limit: PAGE })
    sessions.push(...page.sessions)
    if (page.next === null) return { ...page, sessions }
    after = page.next
  }
}

/** A promise, and the function that resolves it. */
function gate(): [Promise<void>, () => void] {
  let open: () => void = () => undefined
  return [new Promise<void>((settle) => (open = settle)), () => open()]
}

const NEWS: ReadonlySet<string> = new Set(["session-changed", "session-removed", "host-closing"])

/** Contract: that of the port, except that `draft` creates a real session and that sessions cannot be opened by path. */
export function connect({ url, token, fetch, wait = timerWait }: ConnectOptions): RemoteHost {
  const api = makeApi({ url, token, fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)) })
  const listeners = new Set<(event: HostListEvent) => void>()
  const watchers = new Set<(state: ConnectionState) => void>()
  const opened = new Set<{ close(): Promise<unknown> }>()
  const pauses = new Pauses()
  const known = new KnownList()
  let state: ConnectionState = "online"
  let isFollowed = false
  let stopList: (() => void) | undefined
  const [listening, isListening] = gate()
  const connection: ServerConnection = {
    api,
    wait,
    pauses,
    state(now) {
      if (now !== "online") isListening()
      if (now === state) return
      state = now
      for (const watcher of watchers) watcher(now)
    },
  }

  function tell(event: HostListEvent): void {
    known.follow(event)
    for (const listener of listeners) listener(event)
  }

  /** Every stream starts with `reset`. Another one later means that changes were missed in between. */
  async function takeNews({ type, data }: StreamEvent): Promise<void> {
    if (type === "host-closing") connection.state("reconnecting")
    if (NEWS.has(type)) return tell({ ...(data as object), type } as HostListEvent)
    if (type === "reset" && isFollowed) {
      for (const event of known.changes((await listAll(api, { agents: "all" })).sessions)) tell(event)
    }
    isFollowed = true
    isListening()
  }

  async function shown(answer: Promise<OpenedSession>) {
    const session = await remoteSession(connection, await answer)
    opened.add(session)
    const close = session.close.bind(session)
    return Object.assign(session, {
      close(typed?: PromptInput) {
        opened.delete(session)
        return close(typed)
      },
    })
  }

  const create = (request: CreateRequest) => {
    const own = request.agent === undefined || request.agent === "retcon"
    // Its answer is that of `send` of the same prompt.
    const body = own ? { cwd: request.cwd } : { ...request, follow: true }
    return shown(asInProcess(() => api.post<OpenedSession>("sessions", body)))
  }

  const library = operationsBy<Library>(LIBRARY, (name, row, fields, signal) =>
    askFor(api, row.path ?? name, row, { fields, signal }),
  )

  return {
    library,
    get state() {
      return state
    },
    onState(listener) {
      watchers.add(listener)
      return () => watchers.delete(listener)
    },
    pause: () => pauses.pause(),
    resume: () => pauses.resume(),
    async list(query = {}) {
      // Wait, so that a caller who listens first and then lists misses nothing.
      if (stopList !== undefined) await listening
      const page = await asInProcess(() => listAll(api, query))
      known.learn(page.sessions)
      return page
    },
    create,
    draft: create,
    async open(which: SessionId | { path: string }) {
      if (typeof which === "string") return shown(asInProcess(() => api.get<OpenedSession>(`sessions/${which}`)))
      throw new RetconError({ code: "not-found", what: "session", name: which.path })
    },
    on(listener) {
      listeners.add(listener)
      stopList ??= follow(connection, "events", undefined, (event) => takeNews(event).catch(() => undefined))
      return () => listeners.delete(listener)
    },
    async close() {
      stopList?.()
      listeners.clear()
      for (const session of opened) await session.close()
      opened.clear()
    },
  }
}

/** What a client knows about the list of sessions, to find out what changed while no stream was open. */
export class KnownList {
  readonly #known = new Map<SessionId, string>()

  learn(sessions: readonly SessionListing[]): void {
    for (const session of sessions) this.#known.set(session.id, JSON.stringify(session))
  }

  follow(event: HostListEvent): void {
    if (event.type === "session-changed") this.learn([event.session])
    if (event.type === "session-removed") this.#known.delete(event.session)
  }

  /** `sessions`: the whole list now. Contract: the changes it returns count as known. */
  changes(sessions: readonly SessionListing[]): HostListEvent[] {
    const there = new Set(sessions.map(({ id }) => id))
    const changed = sessions.filter((session) => this.#known.get(session.id) !== JSON.stringify(session))
    const events: HostListEvent[] = [
      ...changed.map((session): HostListEvent => ({ type: "session-changed", session })),
      ...[...this.#known.keys()]
        .filter((id) => !there.has(id))
        .map((session): HostListEvent => ({ type: "session-removed", session })),
    ]
    for (const event of events) this.follow(event)
    return events
  }
}

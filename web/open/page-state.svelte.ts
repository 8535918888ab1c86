// The page as a whole: the sessions on this machine, the open one, and the connection to the server.
import { ApiError } from "../../src/client/api.ts"
import type { RemoteHost } from "../../src/client/connect.ts"
import type { ConnectionState } from "../../src/client/follow.ts"
import type { RemoteSession } from "../../src/client/remote-session.ts"
import { type Advice, adviceText } from "../../src/model/failure/failure.ts"
import { type SessionId, shortId } from "../../src/model/id.ts"
import { count } from "../../src/model/text/amounts.ts"
import { unreadableWords } from "../../src/model/text/unreadable-words.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import type { HostListEvent } from "../../src/protocol/numbered-event.ts"
import type { SessionListing } from "../../src/protocol/shapes.ts"
import { pageStep } from "../show/advice.ts"
import { problemToast } from "../show/problem.ts"
import { Toasts } from "../show/toasts.svelte.ts"
import type { DraftPlaces } from "./draft-keeper.ts"
import { PageSession } from "./page-session.svelte.ts"
import { underWay } from "./under-way.ts"

type ListChange = Exclude<HostListEvent, { type: "host-closing" }>

export class PageState {
  readonly host: RemoteHost
  readonly toasts = new Toasts()
  sessions = $state.raw<readonly SessionListing[]>([])
  listed = $state(false)
  /** Why the sessions could not be listed: then `sessions` has those that were known before. */
  listProblem = $state("")
  /** What may be missing in the list, in sentences. */
  missing = $state.raw<readonly string[]>([])
  connection = $state<ConnectionState>("online")
  open = $state.raw<PageSession>()
  opening = $state.raw<SessionId>()
  /** Whether the session on the screen was deleted. It then shows what was there. */
  deleted = $state(false)
  /** Why the session in the address is not shown. */
  problem = $state("")
  #wanted: SessionId | undefined
  /** The sessions whose agent waits for an answer. */
  readonly waiting = $derived(underWay(this.sessions).filter(({ turn }) => turn === "waiting"))
  /** Why the server cannot be asked about the session on the screen; undefined if it can. */
  readonly blocked = $derived(
    this.connection === "locked"
      ? "The token is no longer valid."
      : this.connection !== "online"
        ? "The server does not answer."
        : this.deleted
          ? "This session was deleted."
          : undefined,
  )

  readonly #drafts: DraftPlaces

  constructor(host: RemoteHost, drafts: DraftPlaces) {
    this.host = host
    this.#drafts = drafts
    host.onState((state) => this.#stateChanged(state))
    host.on((event) => {
      if (event.type === "host-closing") this.connection = "gone"
      else {
        for (const heard of this.#listing) heard.push(event)
        this.#follow(event)
      }
    })
  }

  /** For each list that is being fetched, what was heard since it was asked for: the list may be older than that. */
  readonly #listing = new Set<ListChange[]>()

  async list(): Promise<void> {
    const heard: ListChange[] = []
    this.#listing.add(heard)
    try {
      const { sessions, unreadable = [] } = await this.host.list({ agents: "all" })
      this.sessions = sessions
      for (const event of heard) this.#follow(event)
      this.missing = unreadableWords(unreadable)
      this.listProblem = ""
    } catch (error) {
      // A wrong token is reported in one place, for all requests.
      if (error instanceof ApiError && error.status === 401) this.connection = "locked"
      this.listProblem = error instanceof Error ? error.message : String(error)
    } finally {
      this.#listing.delete(heard)
      this.listed = true
    }
  }

  /** Contract: if several are asked for at once, the last one is shown. */
  async show(session: SessionId | undefined): Promise<void> {
    if (session === this.#wanted) return
    this.#leave(session)
    this.opening = session
    if (session === undefined) return
    try {
      const opened = this.#shown(await this.host.open(session))
      if (this.#wanted === session) this.open = opened
      else await opened.close()
    } catch (error) {
      if (this.#wanted === session) this.problem = error instanceof Error ? error.message : String(error)
    } finally {
      if (this.opening === session) this.opening = undefined
    }
  }

  /**
   * Creates a session and shows it. Does not create the folder: throws if it is missing. `first`: whose program begins it, and the
   * message with which it does.
   */
  async create(cwd: string, first?: { agent: string; text: string }): Promise<SessionId> {
    const { agent, ...prompt } = first ?? { text: "" }
    const made = await this.host.create({ cwd, ...(agent !== undefined && { agent, prompt }) })
    this.#leave(made.id)
    this.open = this.#shown(made)
    // Its program works on it already; this follows its turn, which reports how it ended.
    if (agent !== undefined) made.send(prompt).catch((error: unknown) => this.toasts.add(problemToast(error)))
    return made.id
  }

  #shown(session: RemoteSession): PageSession {
    return new PageSession(session, (event) => this.#hear(event), this.#drafts)
  }

  listing(session: SessionId): SessionListing | undefined {
    return this.sessions.find(({ id }) => id === session)
  }

  #leave(next: SessionId | undefined): void {
    const before = this.open
    this.#wanted = next
    this.problem = ""
    this.deleted = false
    this.open = undefined
    this.toasts.clear()
    void before?.close()
  }

  /** Lists the sessions again after a reconnection, because changes may have been missed. */
  #stateChanged(state: ConnectionState): void {
    this.connection = state
    if (state !== "online") return
    void this.list()
    void this.open?.kept.flush()
  }

  #follow(event: ListChange): void {
    if (event.type === "session-changed") this.#put(event.session)
    else this.#remove(event.session)
  }

  #put(session: SessionListing): void {
    if (this.deleted && this.open?.session.id === session.id) this.#reopen(session.id)
    this.sessions = [session, ...this.sessions.filter(({ id }) => id !== session.id)].sort((a, b) =>
      a.updated < b.updated ? 1 : -1,
    )
  }

  /** The session was restored: drops what this page still has of the deleted one. */
  #reopen(session: SessionId): void {
    this.#wanted = undefined
    void this.show(session)
  }

  #remove(session: SessionId): void {
    this.sessions = this.sessions.filter(({ id }) => id !== session)
    if (this.open?.session.id === session) this.deleted = true
  }

  #advice(advice: Advice): string {
    const session = this.open?.session.id
    return adviceText(advice, (step) => pageStep(step, session && shortId(session)))
  }

  #hear(event: HostEvent): void {
    if (event.type === "notice") {
      const detail = event.advice === undefined ? {} : { detail: this.#advice(event.advice) }
      this.toasts.add({ kind: event.level === "warning" ? "problem" : "done", text: event.text, ...detail })
    } else if (event.type === "turn-end" && event.outcome === "failed" && event.message !== undefined) {
      const detail = event.advice === undefined ? {} : { detail: this.#advice(event.advice) }
      this.toasts.add({ kind: "problem", text: event.message, ...detail })
    } else if (event.type === "rows-anew")
      this.toasts.add({ kind: "done", text: "Another program rewrote the file, so it was loaded again." })
    else if (event.type === "host-closing") this.connection = "gone"
    else if (event.type === "backtracked")
      this.toasts.add({
        kind: "done",
        text: `The agent went back and left ${count(event.discards, "message")} behind.`,
      })
  }
}

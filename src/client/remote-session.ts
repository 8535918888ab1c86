// A session on the server, behind the Host port: mirrors the tree, fetches bodies, and receives events as a stream.
import { stateAt } from "../history/tree/state.ts"
import { type History, NONE, type Row } from "../history/tree/tree.ts"
import type { EntryId, SessionId } from "../model/id.ts"
import type { Json } from "../model/json.ts"
import type { MoveResult } from "../model/move/moved.ts"
import { KIND, type LogRecord } from "../model/record/record.ts"
import type { HostEvent } from "../protocol/event.ts"
import type {
  DiffAnswer,
  HostSession,
  MoveRequest,
  PromptInput,
  SendAnswer,
  SendRequest,
  WorkSession,
} from "../protocol/host.ts"
import { makeLive } from "../protocol/live-turn.ts"
import type { NumberedEvent } from "../protocol/numbered-event.ts"
import { OPERATIONS, type Operations, operationsBy } from "../protocol/operations.ts"
import type { SessionEventData, SessionStanding } from "../protocol/over-http.ts"
import { ApiError, asInProcess, askFor, orRefused } from "./api.ts"
import type { StreamEvent } from "./event-stream.ts"
import { follow, type ServerConnection } from "./follow.ts"
import { HeldBack } from "./held-back.ts"
import { Mirror } from "./mirror.ts"
import { makeSends } from "./sends.ts"

export interface OpenedSession extends SessionStanding {
  id: SessionId
  agent: string
  cwd: string
  file: string | null
  resume: string[] | null
  labels: Record<string, string>
  config: Record<string, Json>
}

export interface RemoteSession extends HostSession {
  readonly work: RemoteWork | undefined
}

export interface RemoteWork extends WorkSession {
  readonly work: RemoteWork | undefined
  /** `from`: the entry to continue from; it travels with the message. Contract: throws if the session cannot go there. */
  send(input: PromptInput & { from?: EntryId }, request?: SendRequest): Promise<SendAnswer>
}

export async function remoteSession(connection: ServerConnection, opened: OpenedSession): Promise<RemoteWork> {
  const { api } = connection
  const { id } = opened
  const path = `sessions/${id}`
  const mirror = new Mirror(api, path)
  const settings = new SessionSettings()
  const live = makeLive()
  const sends = makeSends(mirror.history)
  const listeners = new Set<(told: NumberedEvent) => void>()
  const held = new HeldBack()
  let { status, access, turn, seq, generation } = opened
  let running = false

  function stand(at: OpenedSession): void {
    ;({ status, access, turn, seq, generation } = at)
    // A server that has had no event of the session yet knows only the turn that runs.
    turn = Math.max(turn, at.live?.turn ?? 0)
    running = at.live !== null && status.running
    live.join(at.live ?? undefined)
    settings.startOver(at)
  }
  await mirror.catchUp(opened)
  stand(opened)

  function tell(event: HostEvent, of = turn): void {
    const told: NumberedEvent = { session: id, seq, turn: of, head: mirror.head, event }
    for (const listener of listeners) listener(told)
  }

  /** Fetches everything again, because events may have been missed. */
  async function startOver(): Promise<void> {
    const now = await api.get<OpenedSession>(path)
    const anew = await mirror.catchUp(now)
    stand(now)
    held.clear()
    sends.missed(running ? turn : undefined)
    tell(anew ? { type: "rows-anew" } : { type: "appended", entries: [] })
    tell({ type: "status", status })
  }

  async function take({ type, data }: StreamEvent): Promise<void> {
    if (type === "reset") {
      const at = data as unknown as SessionStanding
      // The stream begins where we are, so nothing was missed.
      if (at.generation === generation && at.seq === seq) return
      return startOver()
    }
    const told = data as unknown as Partial<SessionEventData>
    if (told.event === undefined) return type === "host-closing" ? tell({ type: "host-closing" }) : undefined
    await takeEvent(told as SessionEventData)
  }

  async function takeEvent(told: SessionEventData): Promise<void> {
    if (told.seq <= seq) return
    if (told.seq > seq + 1 || !mirror.add(told)) return startOver()
    seq = told.seq
    await settle(told)
    follows(told)
    if (held.holds(told)) return
    tell(told.event, told.turn)
  }

  /** Loads labels and settings before listeners get the event. */
  async function settle({ from, records = [] }: SessionEventData): Promise<void> {
    const rows = rowsFrom(from, records.length).filter((row) => isSetting(mirror.history, row))
    if (rows.some((row) => !mirror.history.isHere(row))) await mirror.load(rows)
    for (const row of rows) settings.take(mirror.history.record(row))
  }

  function follows({ event, turn: of }: SessionEventData): void {
    const late = of < turn
    if (of > turn) {
      // The turn before is over or was stopped; its end may arrive late.
      live.clear()
      running = false
      turn = of
    }
    if (event.type === "status") status = event.status
    if (event.task === undefined && event.type === "turn-start") running = true
    if (event.task === undefined && event.type === "turn-end") running = false
    if (late && event.type !== "turn-end") return
    live.follow(event)
    sends.follow(event, of)
  }

  const stop = follow(connection, `${path}/events`, `${generation}.${seq}`, (event) =>
    take(event).catch((error: unknown) => tell({ type: "notice", level: "warning", text: messageOf(error) })),
  )

  const post = <Answer>(what: string, body?: object) => asInProcess(() => api.post<Answer>(`${path}/${what}`, body))

  /** Clears pending output at once, and brings it back only if the move is refused and the turn continues. */
  async function move(what: string, body: MoveRequest & Record<string, unknown>): Promise<MoveResult> {
    const ask = () =>
      orRefused(() => api.post<MoveResult>(`${path}/${what}`, { via: "page", ...body })) as Promise<MoveResult>
    if (body.dryRun === true) return ask()
    const end = held.begin(running ? turn : turn - 1)
    let moved = false
    try {
      const answer = await ask()
      moved = answer.outcome === "moved"
      return answer
    } finally {
      for (const told of end(moved)) tell(told.event, told.turn)
    }
  }

  const operations = operationsBy<Operations>(OPERATIONS, async (name, row, fields, signal) => {
    if (row.kind === "move") return { ...(await move(row.path ?? name, fields)) }
    return askFor(api, `${path}/${row.path ?? name}`, row, { fields, signal })
  })

  const session: RemoteWork = {
    ...operations,
    id,
    agent: opened.agent === "retcon" ? undefined : opened.agent,
    resume: opened.resume ?? undefined,
    cwd: opened.cwd,
    file: opened.file ?? undefined,
    get access() {
      return access
    },
    get work() {
      return access.can === "all" ? this : undefined
    },
    history: mirror.history,
    get head() {
      return mirror.head
    },
    // The server does so whenever it is asked.
    look: () => undefined,
    load: (rows) => asInProcess(() => mirror.load(rows)),
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    live() {
      const now = held.hides(turn) ? undefined : live.now(running)
      return now && { turn, ...now }
    },
    async send(input, request = {}) {
      const begun = await post<TurnBegun | SendAnswer>("converse", { ...input, ...request })
      return "outcome" in begun ? begun : sends.wait(input, begun)
    },
    stop: () => post("stop"),
    async answer(approval, answer) {
      try {
        await api.post(`${path}/approvals/${encodeURIComponent(approval)}`, answer)
        return true
      } catch (error) {
        if (error instanceof ApiError && error.status === 409) return false
        throw error
      }
    },
    labels: () => settings.labels,
    config: () => settings.config,
    diff: ({ from, to, paths } = {}) =>
      orRefused(() => diffOf((only) => api.get(`${path}/diff`, { from, to, path: only }), paths)),
    async state(key) {
      await asInProcess(() => mirror.load(stateRows(mirror.history, mirror.head)))
      return stateAt(mirror.history, mirror.head, key)
    },
    status: () => status,
    // Drafts are for people who leave a terminal. The page keeps its own text.
    takeDraft: () => undefined,
    async close() {
      stop()
      listeners.clear()
      return undefined
    },
  }
  return session
}

/** The server returns the diff of one path at a time. */
async function diffOf(ask: (path?: string) => Promise<Diff>, paths?: readonly string[]): Promise<Diff> {
  if (paths === undefined) return ask()
  const parts = await Promise.all(paths.map((each) => ask(each)))
  return {
    outcome: "diff",
    patch: parts.map(({ patch }) => patch).join(""),
    files: parts.flatMap(({ files }) => files),
  }
}

type Diff = Extract<DiffAnswer, { outcome: "diff" }>

interface TurnBegun {
  turn: number
  entry: EntryId | null
  steers: boolean
}

function isSetting(history: History, row: Row): boolean {
  const kind = history.kind(row)
  return kind === KIND.label || kind === KIND.config
}

function* stateRows(history: History, head: Row): Generator<Row> {
  for (let row = history.state(head); row !== NONE; row = history.state(history.parent(row))) yield row
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * A session's labels and settings, updated as records arrive, because they are needed before any other body is loaded.
 */
export class SessionSettings {
  #labels = new Map<EntryId, string>()
  #config = new Map<string, Json>()

  get labels(): Map<EntryId, string> {
    return new Map(this.#labels)
  }

  get config(): Map<string, Json> {
    return new Map(this.#config)
  }

  startOver({ labels, config }: { labels: Record<string, string>; config: Record<string, Json> }): void {
    this.#labels = new Map(Object.entries(labels)) as Map<EntryId, string>
    this.#config = new Map(Object.entries(config))
  }

  take(record: LogRecord | undefined): void {
    if (record?.type === "label") {
      // The newest label comes first, as in process.
      this.#labels.delete(record.entry)
      if (record.name !== "") this.#labels = new Map([[record.entry, record.name], ...this.#labels])
    }
    if (record?.type !== "config") return
    if (record.value === null) this.#config.delete(record.key)
    else this.#config.set(record.key, record.value)
  }
}

/** The rows that an event brought. */
export function rowsFrom(from: Row | undefined, count: number): Row[] {
  return from === undefined ? [] : Array.from({ length: count }, (_, i) => from + i)
}

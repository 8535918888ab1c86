// The session on the screen: its head, the entry being looked at, and what runs. Everything shown is derived from it.
import type { RemoteSession } from "../../src/client/remote-session.ts"
import { isOnPath, NONE, type Row } from "../../src/history/tree/tree.ts"
import { ROLES } from "../../src/model/record/origin.ts"
import { isEntryKind, KIND, type LogRecord, type Part } from "../../src/model/record/record.ts"
import { serial } from "../../src/model/serial.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import type { Status } from "../../src/protocol/shapes.ts"
import { DraftKeeper, type DraftPlaces } from "./draft-keeper.ts"
import { GrowingItems } from "./growing-items.ts"
import { hiddenBy, type ShownItem } from "./items.ts"
import { LiveView } from "./live-view.svelte.ts"

export type DeniedCalls = Extract<HostEvent, { type: "denied" }>["calls"]

export class PageSession {
  readonly session: RemoteSession
  readonly live = new LiveView()
  head = $state.raw<Row>(NONE)
  /** The entry being looked at, if it is not the head. Looking is not moving. */
  looked = $state.raw<Row>()
  /** The entry last looked at, which is highlighted. */
  found = $state.raw<Row>()
  status = $state.raw<Status>()
  /** Incremented when rows, labels or settings change; `bodies` when records arrive. */
  version = $state(0)
  bodies = $state(0)
  /** What another agent's program was not allowed to do in its last turn, until the person allows it or the next turn begins. */
  denied = $state.raw<DeniedCalls>([])
  /** Text that was typed but not sent. */
  draft = $state("")
  /** Files and images to send with it. */
  media = $state.raw<readonly Part[]>([])
  /** Keeps both until they are sent. */
  readonly kept: DraftKeeper
  #opened = $state.raw<ReadonlySet<Row>>(new Set())
  readonly #growing = new GrowingItems()
  /** How many rows are shown or being fetched. */
  #size = 0
  #last: Row = NONE
  readonly #settling = serial()
  readonly #off: () => void
  readonly #tell: (event: HostEvent) => void

  /** What is shown. Until `rows-anew` arrives there may be fewer rows than before: then nothing is shown. */
  readonly at = $derived.by(() => {
    void this.version
    const at = this.looked ?? this.head
    return at < this.session.history.size ? at : NONE
  })
  readonly items: readonly ShownItem[] = $derived.by(() => {
    void this.version
    return this.#growing.of(this.session.history, this.at, this.#opened)
  })
  readonly round = $derived.by(() => {
    void this.version
    return this.session.history.round(this.at)
  })
  readonly labels = $derived.by(() => {
    void this.version
    return this.session.labels()
  })

  /** `tell`: called with events that the person should hear about beyond what is shown here. */
  constructor(session: RemoteSession, tell: (event: HostEvent) => void, places: DraftPlaces) {
    this.session = session
    this.#tell = tell
    this.#off = session.on((told) => this.#take(told))
    this.head = session.head
    this.#last = session.head
    this.#size = session.history.size
    this.status = session.status()
    this.live.join(session.live())
    this.kept = new DraftKeeper(session, places, ({ text, media }) => {
      this.draft = text
      this.media = media
    })
    void this.kept.load()
  }

  /** Contract: in an effect or a template, runs again when the body has arrived. */
  record(row: Row): LogRecord | undefined {
    void this.bodies
    const { history } = this.session
    return row < history.size && history.isHere(row) ? history.record(row) : undefined
  }

  async load(rows: Iterable<Row>): Promise<void> {
    const { history } = this.session
    const missing = [...rows].filter((row) => row !== NONE && !history.isHere(row))
    if (missing.length === 0) return
    await this.session.load(missing)
    this.bodies++
  }

  look(row: Row | undefined): void {
    this.looked = row === this.head ? undefined : row
  }

  /** Looks at the longest branch through the row, or at the path itself if the row is on it. */
  lookAt(row: Row): void {
    const { history } = this.session
    this.found = row
    if (isOnPath(history, row, this.head)) {
      this.looked = undefined
      return
    }
    let at = history.size - 1
    while (at > row && !(isEntryKind(history.kind(at)) && isOnPath(history, row, at))) at--
    this.looked = at
  }

  /** Allows a denied call in the next turn. */
  async allow({ call, rule }: DeniedCalls[number]): Promise<void> {
    if (rule !== undefined) await this.session.work?.allow(rule)
    this.denied = this.denied.filter((each) => each.call !== call)
  }

  isUnfolded(compaction: Row): boolean {
    return this.#opened.has(compaction)
  }

  fold(compaction: Row, open: boolean): void {
    const opened = new Set(this.#opened)
    if (open) opened.add(compaction)
    else opened.delete(compaction)
    this.#opened = opened
  }

  /** Unfolds whatever hides a row of the path on the screen. */
  reveal(row: Row): void {
    this.#opened = new Set([...this.#opened, ...hiddenBy(this.session.history, row, this.at)])
  }

  async close(): Promise<void> {
    this.#off()
    this.live.clear()
    await this.kept.close()
    await this.session.close()
  }

  #take({ event }: { event: HostEvent }): void {
    if (event.task !== undefined) return
    if (event.type === "turn-start") this.denied = []
    if (event.type === "status") this.status = event.status
    else if (event.type === "denied") this.denied = event.calls
    else if (event.type === "moved" || isMovedElsewhere(event)) {
      this.live.clear()
      this.looked = undefined
    } else if (event.type === "rows-anew") this.#anew()
    // Some events were missed, so ask again what runs.
    else if (event.type === "appended" && event.entries.length === 0) this.live.join(this.session.live())
    else this.live.follow(event)
    this.#settle(event)
    this.#tell(event)
  }

  #anew(): void {
    this.#size = 0
    this.head = NONE
    this.looked = undefined
    this.found = undefined
    this.#opened = new Set()
    this.live.join(this.session.live())
    this.bodies++
  }

  /** Shows new rows once their bodies are here. Until then the live words stay. */
  #settle(event: HostEvent): void {
    const { history, head } = this.session
    const ended = event.type === "turn-end"
    if (history.size === this.#size && head === this.#last && !ended && !RECORDED.has(event.type)) return
    const rows = this.#newOnPath()
    this.#size = history.size
    this.#last = head
    const isAnswer = (row: Row) => history.kind(row) === KIND.message && ROLES[history.role(row)] === "assistant"
    const settled = rows.some(isAnswer) ? this.live.said() : undefined
    const show = () => {
      this.head = head
      this.version++
      settled?.()
      if (ended) this.live.clear()
    }
    if (this.#settling.idle && rows.every((row) => history.isHere(row))) {
      show()
      return
    }
    const tell = (error: unknown) => this.#tell(unread(error))
    const settle = async () => {
      await this.load(rows).catch(tell)
      show()
    }
    void this.#settling.run(settle).catch(tell)
  }

  #newOnPath(): Row[] {
    const { history, head } = this.session
    const rows: Row[] = []
    for (let row = head; row !== NONE && row >= this.#size && rows.length < MOST_LOADED; row = history.parent(row))
      rows.push(row)
    return rows.reverse()
  }
}

function isMovedElsewhere(event: HostEvent): boolean {
  return event.type === "changed" && event.followed === true && event.did !== undefined && event.did.kind !== "prompt"
}

function unread(error: unknown): HostEvent {
  const text = `The messages could not be loaded: ${error instanceof Error ? error.message : String(error)}`
  return { type: "notice", level: "warning", text }
}

/** Events that change how existing rows are shown. */
const RECORDED: ReadonlySet<HostEvent["type"]> = new Set(["labelled", "configured", "rows-anew", "changed"])

const MOST_LOADED = 200

// One open session for everyone who asks over HTTP: its stream of events, with the rows that each event adds.
import { Buffer } from "node:buffer"
import type { Rows } from "../../history/rows/rows.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import { writeFacts } from "../../history/wire/write-facts.ts"
import type { LogRecord } from "../../model/record/record.ts"
import type { HostSession } from "../../protocol/host.ts"
import type { NumberedEvent } from "../../protocol/numbered-event.ts"
import type { SessionEventData, SessionStanding } from "../../protocol/over-http.ts"
import { Broadcast } from "./broadcast.ts"

/** A record longer than this is not sent with the event, but fetched when someone looks at it. */
const LONGEST_RECORD = 16 * 1024

export interface Hub {
  readonly session: HostSession
  /** Of rows and events: numbers from another generation are invalid. */
  readonly generation: string
  readonly stream: Broadcast
  state(): SessionStanding
  readonly rows: Rows
  /** Calls back with each numbered event, before readers get it. */
  on(listener: (told: SessionEventData) => void): () => void
  /** Sends rows that were appended without an event. */
  catchUp(): void
  close(): Promise<void>
}

export interface HubOptions {
  /** Unique to this opening of the session. */
  name: string
  /** Called when the number of readers changes. */
  readersChanged: () => void
}

export function makeHub(session: HostSession, { name, readersChanged }: HubOptions): Hub {
  const rows = session.history as HostSession["history"] & Rows
  const listeners = new Set<(told: SessionEventData) => void>()
  let [seq, turn, sent, generation] = [0, 0, rows.size, rows.generation]
  const stream = new Broadcast({
    generation: `${name}.${generation}`,
    snapshot: () => ({ type: "reset", data: state() }),
    changed: readersChanged,
  })

  function state(): SessionStanding {
    return {
      generation: stream.generation,
      seq,
      turn,
      size: rows.size,
      head: rowOrNull(session.head),
      status: session.status(),
      access: session.access,
      live: session.live() ?? null,
    }
  }

  function tell(told: Pick<NumberedEvent, "turn" | "event">): void {
    const { event } = told
    turn = Math.max(turn, told.turn)
    if (generation !== rows.generation) {
      ;[generation, sent] = [rows.generation, rows.size]
      stream.startOver(`${name}.${generation}`)
    }
    const data: SessionEventData = { seq: ++seq, turn: told.turn, head: rowOrNull(session.head), ...added(), event }
    stream.publish(seq, event.type, data)
    for (const listener of listeners) listener(data)
  }

  /** The rows that have not been sent yet. */
  function added(): Pick<SessionEventData, "rows" | "from" | "records"> {
    const [from, to] = [sent, rows.size]
    if (to <= from) return {}
    sent = to
    return {
      from,
      rows: Buffer.from(writeFacts(rows, from, to)).toString("base64"),
      records: recordsOf(rows, from, to),
    }
  }

  const forget = session.on(tell)
  return {
    session,
    rows,
    stream,
    get generation() {
      return stream.generation
    },
    state,
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    catchUp() {
      if (rows.size > sent) tell({ turn, event: { type: "appended", entries: [] } })
    },
    async close() {
      await session.close()
      forget()
    },
  }
}

export function rowOrNull(row: Row): Row | null {
  return row === NONE ? null : row
}

function recordsOf(history: HostSession["history"], from: Row, to: Row): (LogRecord | null)[] {
  return Array.from({ length: to - from }, (_, i) => {
    const record = history.record(from + i)
    return record === undefined || JSON.stringify(record).length > LONGEST_RECORD ? null : record
  })
}

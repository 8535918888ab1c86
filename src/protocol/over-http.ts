// The shapes that the server and its clients share, beyond those of the port itself. docs/api.md describes them.
import type { Row } from "../history/tree/tree.ts"
import type { LogRecord } from "../model/record/record.ts"
import type { HostEvent } from "./event.ts"
import type { SessionAccess } from "./host.ts"
import type { Live } from "./numbered-event.ts"
import type { Status } from "./shapes.ts"

/** The state of a session: sent at the start of a stream of events, and whenever it starts over (`reset`). */
export interface SessionStanding {
  /** Of rows and events: numbers from another generation are invalid. */
  generation: string
  /** The number of the last event. `Last-Event-ID: <generation>.<seq>` resumes a stream after it. */
  seq: number
  /** The number of the turn that runs or ran last. */
  turn: number
  /** How many rows there are. */
  size: number
  /** A row; null for the empty conversation. */
  head: Row | null
  status: Status
  access: SessionAccess
  /** What runs now and is not in the tree yet. */
  live: Live | null
}

/** The data of a session's event. */
export interface SessionEventData {
  /** One more than in the event before. */
  seq: number
  /** The turn it belongs to. A smaller number than in an earlier event means that it comes late, from a turn that was stopped. */
  turn: number
  head: Row | null
  event: HostEvent
  /** The first of the rows added before this event; `rows` has their facts as base64, for `readFacts`. */
  from?: Row
  rows?: string
  /** Their records; null for a long one, which `POST …/records` returns. */
  records?: (LogRecord | null)[]
}

/** What a browser signs to get the token of a server that was restarted. `origin`: the address under which it sees the server. */
export function browserProof(origin: string, challenge: string): string {
  return `retcon: let this browser in at ${origin} with ${challenge}`
}

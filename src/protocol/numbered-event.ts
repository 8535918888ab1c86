// A host's events with their place in the stream, and what a front end that joins late needs to know.
import type { Row } from "../history/tree/tree.ts"
import type { EntryId, SessionId } from "../model/id.ts"
import type { HostEvent } from "./event.ts"
import type { SessionListing } from "./shapes.ts"

/** An event with its place in the stream. Contract: `history` has the rows it refers to before it is sent. */
export interface NumberedEvent {
  session: SessionId
  /** From 1, without gaps, for each session of a host. */
  seq: number
  /**
   * The turn it belongs to or, if it belongs to none, the turn that runs or comes next. A late event of a stopped turn has a
   * smaller number than the events before it.
   */
  turn: number
  /** The session's head now. */
  head: Row
  event: HostEvent
}

export type Question = Extract<HostEvent, { type: "approval-start" }>

/** What runs and is not in the tree yet, for a front end that joins late. */
export interface Live {
  /** The number in its events. */
  turn: number
  /** Null before the prompt is recorded, and while only the person's own commands run. */
  prompt: EntryId | null
  /** The answer so far. */
  text: string
  reasoning: string
  /** The tools of this step, in the order they started. `output` has only the end if it is long. */
  tools: LiveTool[]
  approvals: Question[]
  /** What the person typed meanwhile and the model has not received yet. */
  queued: string[]
}

export interface LiveTool {
  call: string
  name: string
  title: string
  output: string
  ended: boolean
}

/** Changes to the list of sessions. */
export type HostListEvent =
  | { type: "session-changed"; session: SessionListing }
  | { type: "session-removed"; session: SessionId }
  | { type: "host-closing" }

// Sends a session's events to its listeners, each with its place in the stream and its turn.
import type { Row } from "../../history/tree/tree.ts"
import type { SessionId } from "../../model/id.ts"
import type { HostEvent } from "../../protocol/event.ts"
import type { NumberedEvent } from "../../protocol/numbered-event.ts"

export type EmitEvent = (event: HostEvent) => void

/** The last numbers used. The host keeps them, so that a session that is opened again continues the numbering. */
export interface EventCount {
  seq: number
  turn: number
}

export const newEventCount = (): EventCount => ({ seq: 0, turn: 1 })

export interface EventFeed {
  /** The number of the turn that runs or comes next. */
  readonly turn: number
  readonly isHeard: boolean
  /** For events that belong to no turn. */
  emit: EmitEvent
  /** For events of the turn with this number, however late. */
  emitOf: (turn: number) => EmitEvent
  /** The turn ended or was told to end: its further events are late. */
  over(turn: number): void
  /** Returns how to stop listening. */
  on: (listener: (told: NumberedEvent) => void) => () => void
}

export interface EventFeedDeps {
  session: SessionId
  head: () => Row
  /** The generation of the rows. A change is announced before anything else. */
  generation: () => number
  count: EventCount
  trace: EmitEvent
  /** Called before the listeners. */
  before: (event: HostEvent, late: boolean) => void
  /** Called when a turn is over. */
  passed: () => void
}

/**
 * Contract: listeners get events in the order of their numbers, even if a listener causes the next one. A listener that throws
 * does not affect the others; its error surfaces as unhandled. Notices that come before the first listener are kept for it.
 */
export function makeEventFeed({ session, head, generation, count, trace, before, passed }: EventFeedDeps): EventFeed {
  const listeners = new Set<(told: NumberedEvent) => void>()
  const early: HostEvent[] = []
  let heard = false
  let known = generation()
  const waiting: NumberedEvent[] = []
  let telling = false

  function tellAll(): void {
    if (telling) return
    telling = true
    for (let told = waiting.shift(); told !== undefined; told = waiting.shift()) {
      for (const listener of listeners) tell(listener, told)
    }
    telling = false
  }

  function add(event: HostEvent, turn: number): void {
    before(event, turn < count.turn)
    waiting.push({ session, seq: ++count.seq, turn, head: head(), event })
  }

  function emit(event: HostEvent, turn: number): void {
    if (!event.type.endsWith("-delta")) trace(event)
    if (listeners.size === 0 && event.type === "notice") {
      early.push(event)
      return
    }
    if (!heard) {
      // Numbering begins with the first listener.
      before(event, turn < count.turn)
      return
    }
    if (known !== generation()) {
      known = generation()
      add({ type: "rows-anew" }, count.turn)
    }
    add(event, turn)
    tellAll()
  }

  return {
    get turn() {
      return count.turn
    },
    get isHeard() {
      return listeners.size > 0
    },
    emit: (event) => emit(event, count.turn),
    emitOf: (turn) => (event) => emit(event, turn),
    over(turn) {
      if (turn < count.turn) return
      count.turn = turn + 1
      passed()
    },
    on(listener) {
      listeners.add(listener)
      heard = true
      for (const event of early.splice(0)) add(event, count.turn)
      tellAll()
      return () => listeners.delete(listener)
    },
  }
}

function tell(listener: (told: NumberedEvent) => void, told: NumberedEvent): void {
  try {
    listener(told)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

// While a move stops a turn, holds back what that turn still says: dropped if the move succeeds, delivered if it is
// refused and the turn continues.
import type { HostEvent } from "../protocol/event.ts"
import type { SessionEventData } from "../protocol/over-http.ts"

/** Events that a move would take off the screen anyway. The end of a turn is always delivered. */
const SAID: ReadonlySet<HostEvent["type"]> = new Set([
  "text-delta",
  "text-end",
  "reasoning-delta",
  "reasoning-end",
  "tool-start",
  "tool-delta",
  "tool-end",
  "approval-start",
  "step-start",
  "step-end",
  "todos",
  "retry",
])

export class HeldBack {
  #moves = 0
  /** The turn being stopped, or the last that was. */
  #turn = 0
  #stopped = 0
  #events: SessionEventData[] = []

  /** A move begins during this turn. Call the result with whether it succeeded, to get the events to deliver after all. */
  begin(turn: number): (moved: boolean) => SessionEventData[] {
    this.#moves++
    this.#turn = Math.max(this.#turn, turn)
    return (moved) => {
      this.#moves--
      if (moved) this.#stopped = Math.max(this.#stopped, turn)
      return this.#moves > 0 ? [] : this.#release()
    }
  }

  /** Whether this event is held back from listeners, for now or for good. */
  holds(told: SessionEventData): boolean {
    if (told.turn > this.#turn || !SAID.has(told.event.type)) return false
    if (this.#moves > 0) this.#events.push(told)
    return this.hides(told.turn)
  }

  /** Whether nothing of this turn may be shown. */
  hides(turn: number): boolean {
    return turn <= this.#turn
  }

  clear(): void {
    this.#events = []
  }

  /** The turn was not stopped: delivers its events. */
  #release(): SessionEventData[] {
    this.#turn = this.#stopped
    return this.#events.splice(0).filter(({ turn }) => turn > this.#stopped)
  }
}

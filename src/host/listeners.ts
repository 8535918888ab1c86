// Who listens to a session's events.
import type { HostEvent } from "../protocol/event.ts"

export interface Listeners {
  emit: (event: HostEvent) => void
  /** Returns how to stop listening. */
  on: (listener: (event: HostEvent) => void) => () => void
}

/** Notices that come before anybody listens are kept for the first one who does. */
export function makeListeners(trace: (event: HostEvent) => void): Listeners {
  const listeners = new Set<(event: HostEvent) => void>()
  let early: HostEvent[] = []
  return {
    emit(event) {
      if (!event.type.endsWith("-delta")) trace(event)
      if (listeners.size === 0 && event.type === "notice") early.push(event)
      for (const listener of listeners) listener(event)
    },
    on(listener) {
      listeners.add(listener)
      for (const event of early) listener(event)
      early = []
      return () => listeners.delete(listener)
    },
  }
}

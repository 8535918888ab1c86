// Reports when sessions appear, disappear or change, no matter who changes them, by listing again and comparing.
import type { SessionId } from "../../model/id.ts"
import { serial } from "../../model/serial.ts"
import type { HostListEvent } from "../../protocol/numbered-event.ts"
import type { SessionListing } from "../../protocol/shapes.ts"

export interface ListWatch {
  on(listener: (event: HostListEvent) => void): () => void
  /** Resolves once changes are being watched: a caller who lists after this misses nothing. */
  ready(): Promise<void>
  /** Call when a session of this process changed, to check soon. */
  look(): void
  tell(event: HostListEvent): void
  close(): void
}

export interface ListWatchDeps {
  /** Lists the sessions of all agents. */
  list: () => Promise<SessionListing[]>
  /** Milliseconds between checks, because other programs do not notify us. */
  every: number
  now: () => number
}

/** Milliseconds to wait, so that changes made together are reported together. */
const SOON = 100
/** Checking takes at most this share of the time. */
const SHARE = 20

/** Contract: does nothing while nobody listens. */
export function watchList({ list, every, now }: ListWatchDeps): ListWatch {
  const listeners = new Set<(event: HostListEvent) => void>()
  let known: Map<SessionId, { listing: SessionListing; text: string }> | undefined
  let timer: NodeJS.Timeout | undefined
  let due = Number.POSITIVE_INFINITY
  const looks = serial()
  let looking: Promise<void> | undefined
  /** Raised when the last listener leaves: a look that is still under way then is about the past. */
  let era = 0
  let earliest = 0

  function tell(event: HostListEvent): void {
    for (const listener of listeners) listener(event)
  }

  async function look(mine: number): Promise<void> {
    if (mine !== era) return
    const began = now()
    const listed = await list()
    if (mine !== era) return
    const found = new Map(listed.map((listing) => [listing.id, { listing, text: JSON.stringify(listing) }]))
    const before = known
    known = found
    earliest = now() + (now() - began) * SHARE
    if (before === undefined) return
    for (const [id, { listing, text }] of found) {
      if (before.get(id)?.text !== text) tell({ type: "session-changed", session: listing })
    }
    for (const id of before.keys()) if (!found.has(id)) tell({ type: "session-removed", session: id })
  }

  function lookIn(wait: number): void {
    if (listeners.size === 0) return
    const at = Math.max(now() + wait, earliest)
    if (at >= due) return
    clearTimeout(timer)
    due = at
    timer = setTimeout(start, at - now()).unref()
  }

  function start(): void {
    due = Number.POSITIVE_INFINITY
    const mine = era
    // A list that cannot be read now may be readable at the next check.
    looking = looks.run(() => look(mine)).catch(() => undefined)
    void looking.then(() => lookIn(every))
  }

  function stop(): void {
    clearTimeout(timer)
    due = Number.POSITIVE_INFINITY
    known = undefined
    looking = undefined
    era++
  }

  return {
    on(listener) {
      listeners.add(listener)
      if (listeners.size === 1) start()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
    async ready() {
      if (known === undefined) await looking
    },
    look: () => lookIn(SOON),
    tell,
    close() {
      listeners.clear()
      stop()
    },
  }
}

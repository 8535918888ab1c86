// What a client knows about the list of sessions, to find out what changed while no stream was open.
import type { SessionId } from "../model/id.ts"
import type { HostListEvent } from "../protocol/numbered-event.ts"
import type { SessionListing } from "../protocol/shapes.ts"

export class KnownList {
  readonly #known = new Map<SessionId, string>()

  learn(sessions: readonly SessionListing[]): void {
    for (const session of sessions) this.#known.set(session.id, JSON.stringify(session))
  }

  follow(event: HostListEvent): void {
    if (event.type === "session-changed") this.learn([event.session])
    if (event.type === "session-removed") this.#known.delete(event.session)
  }

  /** `sessions`: the whole list now. Contract: the changes it returns count as known. */
  changes(sessions: readonly SessionListing[]): HostListEvent[] {
    const there = new Set(sessions.map(({ id }) => id))
    const changed = sessions.filter((session) => this.#known.get(session.id) !== JSON.stringify(session))
    const events: HostListEvent[] = [
      ...changed.map((session): HostListEvent => ({ type: "session-changed", session })),
      ...[...this.#known.keys()]
        .filter((id) => !there.has(id))
        .map((session): HostListEvent => ({ type: "session-removed", session })),
    ]
    for (const event of events) this.follow(event)
    return events
  }
}

// The open sessions: opened on demand, closed some time after their last use once nothing runs in them.
import type { SessionId } from "../../model/id.ts"
import type { CreateRequest, Host, HostSession } from "../../protocol/host.ts"
import { type Hub, makeHub } from "./hub.ts"

/** How long an unused session stays open, and how many of those at most. */
const IDLE = 60_000
const MOST_IDLE = 16

interface Held {
  hub: Promise<Hub>
  /** How many requests use it now. */
  uses: number
  idle: NodeJS.Timeout | undefined
  /** Set once it is open. */
  ready: Hub | undefined
}

export interface Hubs {
  /** Contract: the session stays open while `work` runs. Throws what `Host.open` throws. */
  use<Value>(id: SessionId, work: (hub: Hub) => Promise<Value>): Promise<Value>
  /** Creates a session, and opens it. */
  create(request: CreateRequest): Promise<Hub>
  /** The sessions that are open now. */
  open(): Hub[]
  close(): Promise<void>
}

/** `failed`: called with an error from closing an unused session. */
export function makeHubs(host: Host, newName: () => string, failed: (error: unknown) => void): Hubs {
  const held = new Map<SessionId, Held>()

  function hold(id: SessionId, opening: Promise<HostSession>): Held {
    const hub = opening.then((session) => {
      own.ready = makeHub(session, { name: newName(), readersChanged: () => rest(id, own) })
      own.ready.on(({ event }) => {
        if (event.type === "turn-end") queueMicrotask(() => rest(id, own))
      })
      return own.ready
    })
    const own: Held = { hub, uses: 0, idle: undefined, ready: undefined }
    held.set(id, own)
    own.hub.catch(() => held.delete(id))
    return own
  }

  const inUse = ({ uses, ready }: Held) =>
    uses > 0 || ready === undefined || ready.stream.readers > 0 || ready.session.status().running

  function rest(id: SessionId, own: Held): void {
    clearTimeout(own.idle)
    own.idle = undefined
    if (held.get(id) !== own || inUse(own)) return
    own.idle = setTimeout(() => void leave(id, own), IDLE)
    own.idle.unref()
    const idle = [...held].filter(([, each]) => each.idle !== undefined)
    for (const [oldest, each] of idle.slice(0, -MOST_IDLE)) void leave(oldest, each)
  }

  async function leave(id: SessionId, own: Held): Promise<void> {
    if (held.get(id) !== own || inUse(own)) return
    clearTimeout(own.idle)
    held.delete(id)
    // Nobody waits for this, so an error is reported and the server goes on.
    await own.ready?.close().catch((error: unknown) => failed(error))
  }

  return {
    async use(id, work) {
      const own = held.get(id) ?? hold(id, host.open(id))
      own.uses++
      try {
        return await work(await own.hub)
      } finally {
        own.uses--
        // Moves it to the end: the least recently used is closed first.
        if (held.get(id) === own) {
          held.delete(id)
          held.set(id, own)
          rest(id, own)
        }
      }
    },
    async create(request) {
      const session = await host.create(request)
      const own = hold(session.id, Promise.resolve(session))
      const hub = await own.hub
      rest(session.id, own)
      return hub
    },
    open: () => [...held.values()].flatMap(({ ready }) => ready ?? []),
    async close() {
      const all = [...held.values()]
      held.clear()
      for (const { idle } of all) clearTimeout(idle)
      await Promise.all(all.map(async ({ hub }) => (await hub.catch(() => undefined))?.close()))
    },
  }
}

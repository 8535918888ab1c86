// One open session for everyone in this process: each opener gets a separate handle on the same head, turn and events.
import type { SessionId } from "../../model/id.ts"
import type { HostSession, WorkSession } from "../../protocol/host.ts"
import type { OpenHostSession } from "./host-session.ts"

export interface SharedSessions {
  /** A handle on the open session, opened with `open` if needed. Contract: `open` never runs twice at once for the same key. */
  share(key: string, open: () => Promise<OpenHostSession>): Promise<WorkSession>
  /** The key of the open session with this id and file. */
  keyOf(id: SessionId, file: string | undefined): string | undefined
  /** The open sessions. */
  all(): OpenHostSession[]
  /** Closes all of them, no matter who holds them. */
  closeAll(): Promise<void>
}

interface Entry {
  session: Promise<OpenHostSession>
  /** Set once it is open. */
  opened?: OpenHostSession
  handles: number
}

export function makeSharedSessions(): SharedSessions {
  const entries = new Map<string, Entry>()
  /** Sessions being closed. Opening one of them waits for that. */
  const closing = new Map<string, Promise<unknown>>()

  function end(key: string, entry: Entry, work: (session: OpenHostSession) => ReturnType<HostSession["close"]>) {
    if (entries.get(key) === entry) entries.delete(key)
    const ended = entry.session.then(work)
    const settled = ended
      .catch(() => undefined)
      .finally(() => {
        if (closing.get(key) === settled) closing.delete(key)
      })
    closing.set(key, settled)
    return ended
  }

  function begin(key: string, open: () => Promise<OpenHostSession>): Entry {
    const before = closing.get(key)
    const session = before === undefined ? open() : before.then(open)
    const entry: Entry = { session, handles: 0 }
    entries.set(key, entry)
    session.then(
      (opened) => (entry.opened = opened),
      () => entries.get(key) === entry && entries.delete(key),
    )
    return entry
  }

  function handle(key: string, entry: Entry, session: OpenHostSession): WorkSession {
    const left = new Set<() => void>()
    let closed: ReturnType<HostSession["close"]> | undefined
    const on: HostSession["on"] = (listener) => {
      const leave = session.on(listener)
      left.add(leave)
      return () => {
        left.delete(leave)
        leave()
      }
    }
    const close: HostSession["close"] = (typed) => (closed ??= leave(typed))
    async function leave(typed: Parameters<HostSession["close"]>[0]): ReturnType<HostSession["close"]> {
      entry.handles--
      try {
        if (entry.handles > 0) return await (typed && session.keep(typed))
        return await end(key, entry, () => session.close(typed))
      } finally {
        for (const each of left) each()
      }
    }
    // Not a copy of the object, because its head changes.
    const own = { on: { enumerable: true, value: on }, close: { enumerable: true, value: close } }
    return Object.create(session, own) as WorkSession
  }

  return {
    async share(key, open) {
      const entry = entries.get(key) ?? begin(key, open)
      entry.handles++
      return handle(key, entry, await entry.session)
    },
    keyOf(id, file) {
      for (const [key, { opened }] of entries) if (opened?.id === id && opened.file === file) return key
      return undefined
    },
    all: () => [...entries.values()].flatMap(({ opened }) => opened ?? []),
    async closeAll() {
      for (const [key, entry] of entries) void end(key, entry, (session) => session.close())
      await Promise.all(closing.values())
    },
  }
}

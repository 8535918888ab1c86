// The Host in process: what `retcon`, `retcon run` and a server stand on.
import { directoryOf, snapshotStoreOf } from "../history/tree/directory.ts"
import type { Host, HostSession } from "../protocol/host.ts"
import type { SessionListing } from "../protocol/shapes.ts"
import { recoverAll } from "../session/files/recovered-words.ts"
import { createLog, sessionOn } from "../session/session.ts"
import { memoryStore } from "../store/memory/memory-store.ts"
import type { SessionLog } from "../store/port.ts"
import type { HostDeps } from "./host-deps.ts"
import { hostSession, type StartChoices } from "./host-session.ts"

/** `model`: asked for on the command line, for all sessions of this host until the person sets another. */
export function makeHost(deps: HostDeps, model?: string): Host {
  const asked: StartChoices = { model, mode: deps.askedMode, thinking: deps.askedThinking }
  /** The session with its files. What a killed restore left behind is finished first. */
  async function covered(log: SessionLog, own: HostDeps = deps): Promise<HostSession> {
    const workspace = await deps.openWorkspace(directoryOf(log), log.id, snapshotStoreOf(log.history))
    const earlier = deps.earlier?.(log)
    const session = sessionOn(own.store, log, { ...deps.session, workspace, ...(earlier !== undefined && { earlier }) })
    const recovered = await recoverAll(session, { store: deps.store })
    return toldFirst(await hostSession(own, session, asked), recovered)
  }

  return {
    async list(query = {}) {
      const found = await deps.store.list(query)
      return found.map(
        ({ from, busyHere: _busyHere, ...session }): SessionListing => ({
          agent: "retcon",
          ...session,
          ...(from && { from }),
        }),
      )
    },
    async create({ cwd }) {
      const log = await createLog(deps.store, { cwd, made: deps.made }, deps.session)
      return covered(log)
    },
    async draft({ cwd }) {
      const store = memoryStore()
      const log = await createLog(store, { cwd, made: deps.made }, deps.session)
      return covered(log, { ...deps, store })
    },
    async open(id) {
      return covered(await deps.store.open(id))
    },
    close: async () => undefined,
  }
}

/** What happened before anybody listened is told to the first who does. */
function toldFirst(session: HostSession, lines: string[]): HostSession {
  if (lines.length === 0) return session
  const on: HostSession["on"] = (listener) => {
    const left = session.on(listener)
    for (const text of lines.splice(0)) queueMicrotask(() => listener({ type: "notice", level: "warning", text }))
    return left
  }
  // Not a copy: where the head is changes.
  return Object.create(session, { on: { enumerable: true, value: on } }) as HostSession
}

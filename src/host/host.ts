// The Host in process: what `retcon`, `retcon run` and a server stand on.
import type { Host } from "../protocol/host.ts"
import type { SessionListing } from "../protocol/shapes.ts"
import { createLog, type Session, sessionOn } from "../session/session.ts"
import { memoryStore } from "../store/memory/memory-store.ts"
import type { SessionLog } from "../store/port.ts"
import { type Asked, hostSession } from "./host-session.ts"
import type { HostParts } from "./parts.ts"

/** `model`: asked for on the command line, for all sessions of this host until the person sets another. */
export function makeHost(parts: HostParts, model?: string): Host {
  const asked: Asked = { model, mode: parts.askedMode }
  /** The session with its files. What a killed restore left behind is finished first. */
  async function covered(log: SessionLog, store = parts.store): Promise<Session> {
    const workspace = await parts.openWorkspace(log.header.cwd, log.id)
    const session = sessionOn(store, log, { ...parts.session, workspace })
    await session.files.recover()
    return session
  }

  return {
    async list(query = {}) {
      const found = await parts.store.list(query)
      return found.map(({ from, ...rest }): SessionListing => ({ ...rest, agent: "retcon", ...(from && { from }) }))
    },
    async create({ cwd }) {
      const log = await createLog(parts.store, { cwd, made: parts.made }, parts.session)
      return hostSession(parts, await covered(log), asked)
    },
    async draft({ cwd }) {
      const store = memoryStore()
      const log = await createLog(store, { cwd, made: parts.made }, parts.session)
      return hostSession({ ...parts, store }, await covered(log, store), asked)
    },
    async open(id) {
      return hostSession(parts, await covered(await parts.store.open(id)), asked)
    },
    close: async () => undefined,
  }
}

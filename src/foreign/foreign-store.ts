// The sessions of other agents on this machine: found, listed and opened where those agents keep them.
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs"
import type { AgentHomes, Format, SessionPlace } from "../formats/port.ts"
import { readHead } from "../formats/shared/read-head.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { SessionId } from "../model/id.ts"
import { attemptRead, orNothing } from "../store/file/disk/problems.ts"
import type { SessionSummary } from "../store/port.ts"
import { ForeignLog } from "./foreign-log.ts"
import { type ListedSession, listAgent } from "./list-agent.ts"

export interface ForeignStoreOptions {
  /** retcon's own home. */
  home: string
  homes: AgentHomes
  /** Loaded when they are first needed: most commands never do. */
  formats(): Promise<readonly Format[]>
  now: () => number
}

export interface ForeignStore {
  /** Newest first is the caller's to do. `agents`: only these. */
  list(options?: { cwd?: string; agents?: readonly string[] }): Promise<SessionSummary[]>
  /** Throws `not-found`. */
  open(id: SessionId): Promise<ForeignLog>
  /** Undefined when no format knows what stands there. */
  openPath(path: string): Promise<ForeignLog | undefined>
  /** Where a session is, and whose it is. */
  find(id: SessionId): Promise<{ format: Format; place: SessionPlace } | undefined>
}

export function foreignStore({ home, homes, formats, now }: ForeignStoreOptions): ForeignStore {
  async function listed(agents?: readonly string[]): Promise<(ListedSession & { format: Format })[]> {
    const wanted = (await formats()).filter(({ agent }) => agents === undefined || agents.includes(agent))
    return wanted.flatMap((format) =>
      listAgent(format, { homes, home, now }).map((session) => ({ ...session, format })),
    )
  }

  async function openPlace(format: Format, place: SessionPlace): Promise<ForeignLog> {
    return new ForeignLog(await format.open(place), { agent: format.agent, path: place.path, home, now })
  }

  async function find(id: SessionId) {
    return (await listed()).find(({ summary }) => summary.id === id)
  }

  return {
    async list({ cwd, agents } = {}) {
      const all = (await listed(agents)).map(({ summary }) => summary)
      return cwd === undefined ? all : all.filter((summary) => isSameFolder(summary.cwd, cwd))
    },

    find,

    async open(id) {
      const found = await find(id)
      if (found === undefined) throw new RetconError({ code: "not-found", what: "session", name: id })
      return openPlace(found.format, found.place)
    },

    async openPath(path) {
      const stat = attemptRead(path, () => statSync(path))
      const names = stat.isDirectory() ? attemptRead(path, () => readdirSync(path)) : undefined
      const head = stat.isFile() ? readHead(path) : undefined
      if (names === undefined && head === undefined) return undefined
      for (const format of await formats()) {
        const place = format.detect({ path, head, names })
        if (place !== undefined) return openPlace(format, place)
      }
      return undefined
    },
  }
}

/** A folder may be named through a link. */
function isSameFolder(named: string, real: string): boolean {
  if (named === real) return true
  if (named === "" || orNothing(() => lstatSync(named)) === undefined) return false
  return orNothing(() => realpathSync(named)) === real
}

// The sessions of other agents on this machine: found, listed and opened where those agents keep them. Lists come first: what
// else is done with a session is loaded when it is done.
import { closeSync, constants, openSync, readdirSync, realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import type { AgentHomes, Format, SessionPlace, WriteRequest } from "../formats/port.ts"
import { readHead } from "../formats/shared/read-head.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { SessionId } from "../model/id.ts"
import { attemptRead, orNothing } from "../store/file/disk/problems.ts"
import type { SessionSummary } from "../store/port.ts"
import type { CleanUp } from "./clean-ups.ts"
import type { ForeignLog } from "./foreign-log.ts"
import { listGone } from "./gone.ts"
import type { ForeignHit } from "./grep-sources.ts"
import type { Keeping, KeepOptions } from "./keep.ts"
import { keptFolder, originalOf } from "./kept-paths.ts"
import { type ListedSession, listAgent } from "./list-agent.ts"
import type { NativeSession } from "./native-session.ts"
import type { RestoredSession } from "./restore-kept.ts"
import { isMissing, whyGone } from "./why-gone.ts"

export interface ForeignStoreOptions {
  /** retcon's own home. */
  home: string
  homes: AgentHomes
  /** Loaded when they are first needed: most commands never do. */
  formats: () => Promise<readonly Format[]>
  now: () => number
}

/** A session before it is read. */
export interface UnreadSession {
  /** The lines of its files that may hold what the pattern says (see `grepLines`). */
  grep(pattern: RegExp): Generator<ForeignHit>
  log(): ForeignLog
}

export interface ForeignStore {
  /** Where agents keep what is theirs. */
  readonly homes: AgentHomes
  /** Newest first is the caller's to do. `agents`: only these. */
  list(options?: { cwd?: string; agents?: readonly string[] }): Promise<SessionSummary[]>
  /** One that was listed: of two with the same id, this one. Throws `not-found`. */
  unread(session: Pick<SessionSummary, "id" | "file">): Promise<UnreadSession>
  /** Throws `not-found`. */
  open(id: SessionId): Promise<ForeignLog>
  /** Undefined when no format knows what stands there. */
  openPath(path: string): Promise<ForeignLog | undefined>
  /** Where a session is, and whose it is. */
  find(id: SessionId): Promise<{ format: Format; place: SessionPlace } | undefined>
  /** Whether sessions of this agent can be created. */
  canCreate(agent: string): Promise<boolean>
  /**
   * A new session of an agent. `homes`: where that agent keeps its sessions, if that is elsewhere than on this machine.
   * Contract: nothing is written before `save`. Throws `invalid` for an agent whose sessions can only be read.
   */
  compose(agent: string, request: Omit<WriteRequest, "homes"> & { homes?: AgentHomes }): Promise<NativeSession>
  /** Copies what is new into retcon's home. Throws a RetconError when nothing can be written there. */
  keep(options?: KeepOptions): Promise<Keeping>
  /** What agents are about to remove by themselves, when they are started in `cwd`. */
  cleanUps(cwd: string): Promise<CleanUp[]>
  /** Gives the agent back a session that it has no more. Throws `not-found`. */
  restore(id: SessionId): Promise<RestoredSession>
}

export function foreignStore({ home, homes, formats, now }: ForeignStoreOptions): ForeignStore {
  /** What was listed last. */
  let known: ListedSession[] = []

  async function listed(agents?: readonly string[]): Promise<ListedSession[]> {
    const wanted = (await formats()).filter(({ agent }) => agents === undefined || agents.includes(agent))
    const found: ListedSession[] = []
    for (const format of wanted) {
      const present = await listAgent(format, { places: format.find(homes), name: "sessions", home, now })
      const gone = await listGone(format, present, { home, homes, now })
      for (const session of present) found.push(session)
      for (const session of gone) found.push(session)
    }
    known = found
    return known
  }

  type Gone = Pick<SessionSummary, "gone" | "goneAs">

  /** Of a file that may not be read, the copy, where there is one. */
  function openPlace(format: Format, place: SessionPlace, { gone, goneAs }: Gone = {}): Promise<UnreadSession> {
    const folder = keptFolder(home, format.agent)
    const copy = { ...place, path: join(folder, place.path), main: join(folder, place.main) }
    const since = gone === undefined ? {} : { gone, ...(goneAs !== undefined && { goneAs }) }
    if (gone !== undefined || whyGone(place.main) !== "unreadable" || isMissing(copy.main))
      return openFiles(format, place, since)
    return openFiles(format, copy, { gone: new Date(now()).toISOString(), goneAs: "unreadable" })
  }

  async function openFiles(format: Format, place: SessionPlace, since: Gone): Promise<UnreadSession> {
    // A format tells only that it knows no line of it: why nothing can be read is said here.
    attemptRead(place.main, () => closeSync(openSync(place.main, constants.O_RDONLY | constants.O_NONBLOCK)))
    const [{ ForeignLog }, { grepSources }] = await Promise.all([
      import("./foreign-log.ts"),
      import("./grep-sources.ts"),
    ])
    const opened = await format.open(place)
    return {
      grep: (pattern) => grepSources(opened.sources(), pattern),
      log: () => {
        const resume = format.resume(place, opened.name)
        return new ForeignLog(opened, { agent: format.agent, path: place.path, resume, ...since, home, now })
      },
    }
  }

  async function find(id: SessionId) {
    return (await listed()).find(({ summary }) => summary.id === id)
  }

  /** The session that its agent has there, or had there before its file was removed, emptied or made unreadable. */
  async function hadAt(path: string): Promise<ListedSession | undefined> {
    return (await listed()).find(({ format, place, summary }) => {
      if (summary.gone === undefined) return place.path === path && whyGone(place.main) === "unreadable"
      return originalOf(keptFolder(home, format.agent), place.path) === path
    })
  }

  return {
    homes,

    async list({ cwd, agents } = {}) {
      const all = (await listed(agents)).map(({ summary }) => summary)
      return cwd === undefined ? all : all.filter((summary) => isSameFolder(summary.cwd, cwd))
    },

    find,

    async canCreate(agent) {
      return (await formats()).some((format) => format.agent === agent && format.write !== undefined)
    },

    async compose(agent, request) {
      const { composeNative } = await import("./native-session.ts")
      return composeNative(agent, await formats(), { homes, ...request })
    },

    async open(id) {
      const found = await find(id)
      if (found === undefined) throw new RetconError({ code: "not-found", what: "session", name: id })
      return (await openPlace(found.format, found.place, found.summary)).log()
    },

    async unread(session) {
      const isIt = ({ summary }: ListedSession) => summary.id === session.id && summary.file === session.file
      const found = known.find(isIt) ?? (await find(session.id))
      if (found === undefined) throw new RetconError({ code: "not-found", what: "session", name: session.id })
      return openPlace(found.format, found.place, found.summary)
    },

    async keep(options) {
      const { keep } = await import("./keep.ts")
      return keep({ home, homes, formats: await formats(), now }, options)
    },

    async cleanUps(cwd) {
      const { cleanUps } = await import("./clean-ups.ts")
      return cleanUps(await formats(), { home, homes, now: now(), cwd })
    },

    async restore(id) {
      const all = await listed()
      const found = all.find(({ summary }) => summary.id === id)
      if (found === undefined) throw new RetconError({ code: "not-found", what: "session", name: id })
      const { restoreWithTasks } = await import("./restore-with-tasks.ts")
      return restoreWithTasks(found, all, keptFolder(home, found.format.agent))
    },

    async openPath(path) {
      const had = whyGone(path) === undefined && !isFolder(path) ? undefined : await hadAt(path)
      if (had !== undefined) return (await openPlace(had.format, had.place, had.summary)).log()
      const stat = attemptRead(path, () => statSync(path))
      const names = stat.isDirectory() ? attemptRead(path, () => readdirSync(path)) : undefined
      const head = stat.isFile() ? readHead(path) : undefined
      if (names === undefined && head === undefined) return undefined
      for (const format of await formats()) {
        const place = format.detect({ path, head, names })
        if (place !== undefined) return (await openPlace(format, place)).log()
      }
      return undefined
    },
  }
}

function isFolder(path: string): boolean {
  return orNothing(() => statSync(path))?.isDirectory() === true
}

/** A folder may be named through a link. */
function isSameFolder(named: string, real: string): boolean {
  if (named === real) return true
  return named !== "" && orNothing(() => realpathSync(named)) === real
}

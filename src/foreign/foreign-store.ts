// Other agents' sessions on this machine: found, listed and opened where those agents keep them. Listing must be fast, so the
// code for everything else is loaded on demand.
import { closeSync, constants, openSync, readdirSync, realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import type { AgentHomes, Format, KnownFormat, SessionPlace, WriteRequest } from "../formats/port.ts"
import { lookInto } from "../formats/shared/folder-contents.ts"
import { readHead } from "../formats/shared/read-head.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { SessionId } from "../model/id.ts"
import { type LineMarks, lineMarks } from "../model/line-marks.ts"
import type { UnreadablePlace } from "../model/text/unreadable-words.ts"
import { attemptRead, orNothing } from "../store/file/disk/problems.ts"
import type { SessionSummary } from "../store/port.ts"
import { isMissing, whyGone } from "./disk/why-gone.ts"
import type { CleanUp } from "./keep/clean-ups.ts"
import type { Keeping, KeepOptions } from "./keep/keep.ts"
import { keptFolder, originalOf } from "./keep/kept-paths.ts"
import { listGone } from "./keep/list-gone.ts"
import type { RestoredSession } from "./keep/restore-kept.ts"
import { type ListedSession, listAgent } from "./list/list-agent.ts"
import type { ForeignLog } from "./log/foreign-log.ts"
import type { NativeSession } from "./native-session.ts"

export interface ForeignStoreOptions {
  /** retcon's own home. */
  home: string
  homes: AgentHomes
  formats: readonly KnownFormat[]
  now: () => number
}

/** A file to search for a text. */
export interface UnreadFile {
  file: string
  /** Only the bytes before this offset. */
  upTo?: number | undefined
  /** Loads the bytes to search in place of the file's. */
  load?: (() => Buffer) | undefined
}

/** A session that has not been read yet. */
export interface UnreadSession {
  files(): UnreadFile[]
  /** How its lines show who said what is in them. */
  readonly lineMarks: LineMarks
  log(): ForeignLog
}

export interface ForeignStore {
  /** Where agents keep their files. */
  readonly homes: AgentHomes
  /** In no particular order. `cwd`: only those of this folder, or of these. `agents`: only these. */
  list(options?: { cwd?: string | readonly string[]; agents?: readonly string[] }): Promise<SessionSummary[]>
  /** The same with their files, for what is remembered about each. */
  places(): Promise<readonly ListedSession[]>
  /** What the last listing could not read: folders that look empty, and files without a copy. */
  unreadable(): readonly UnreadablePlace[]
  /** A session from the list; the file distinguishes two with the same id. Throws `not-found`. */
  unread(session: Pick<SessionSummary, "id" | "file">): Promise<UnreadSession>
  /** Throws `not-found`. */
  open(id: SessionId): Promise<ForeignLog>
  /** Undefined if no format recognises the file. */
  openPath(path: string): Promise<ForeignLog | undefined>
  /** Where a session is stored, and in which format. */
  find(id: SessionId): Promise<{ format: Format; place: SessionPlace } | undefined>
  /** Whether sessions of this agent can be created. */
  canCreate(agent: string): Promise<boolean>
  /**
   * A new session for an agent. `homes`: where that agent keeps its sessions, if not on this machine.
   * Contract: writes nothing before `save`. Throws `invalid` for an agent whose sessions retcon can only read.
   */
  compose(agent: string, request: Omit<WriteRequest, "homes"> & { homes?: AgentHomes }): Promise<NativeSession>
  /** Copies whatever is new into retcon's home. Throws RetconError if it cannot write there. */
  keep(options?: KeepOptions): Promise<Keeping>
  /** What agents would soon delete on their own if started in `cwd`. */
  cleanUps(cwd: string): Promise<CleanUp[]>
  /** Restores a session that its agent has lost. Throws `not-found`. */
  restore(id: SessionId): Promise<RestoredSession>
}

const USUAL_MARKS = lineMarks()

export function foreignStore({ home, homes, formats, now }: ForeignStoreOptions): ForeignStore {
  /** The result of the last listing. */
  let known: ListedSession[] = []
  let unreadable: UnreadablePlace[] = []

  /** Those of agents that may be on this machine, or of whose sessions we have copies: the others are not loaded. */
  function formatsHere(agents?: readonly string[]): Promise<Format[]> {
    const here = formats.filter(({ agent, folder, others = [], variables }) => {
      if (agents?.includes(agent) === false) return false
      if (variables.some((name) => (homes.env[name] ?? "") !== "")) return true
      return (
        [folder, ...others].some((each) => !isMissing(join(homes.home, each))) || !isMissing(keptFolder(home, agent))
      )
    })
    return Promise.all(here.map((format) => format.load()))
  }

  async function listed(agents?: readonly string[], folders?: readonly string[]): Promise<ListedSession[]> {
    const found: ListedSession[] = []
    const denied: UnreadablePlace[] = []
    for (const format of await formatsHere(agents)) {
      const { value: places, forbidden: paths } = lookInto(() => [...format.find(homes)])
      const unread = (path: string) => void paths.push(path)
      const present = await listAgent(format, { places, name: "sessions", home, now, folders, unread })
      const gone = await listGone(format, present, { home, homes, now })
      const copied = new Set(gone.map(({ place }) => originalOf(keptFolder(home, format.agent), place.main)))
      for (const path of paths) if (!copied.has(path)) denied.push({ agent: format.agent, path })
      for (const session of present) found.push(session)
      for (const session of gone) found.push(session)
    }
    known = found
    unreadable = denied
    return known
  }

  type Gone = Pick<SessionSummary, "gone" | "goneAs">

  /** Opens our copy, if there is one, in place of a file that we may not read. */
  function openPlace(format: Format, place: SessionPlace, { gone, goneAs }: Gone = {}): Promise<UnreadSession> {
    const folder = keptFolder(home, format.agent)
    const copy = { ...place, path: join(folder, place.path), main: join(folder, place.main) }
    const since = gone === undefined ? {} : { gone, ...(goneAs !== undefined && { goneAs }) }
    if (gone !== undefined || whyGone(place.main) !== "unreadable" || isMissing(copy.main))
      return openFiles(format, place, since)
    return openFiles(format, copy, { gone: new Date(now()).toISOString(), goneAs: "unreadable" })
  }

  async function openFiles(format: Format, place: SessionPlace, since: Gone): Promise<UnreadSession> {
    // The format can only say that it recognised no line. Opening the file shows the real reason.
    attemptRead(place.main, () => closeSync(openSync(place.main, constants.O_RDONLY | constants.O_NONBLOCK)))
    const { ForeignLog } = await import("./log/foreign-log.ts")
    const opened = await format.open(place)
    return {
      files: () => opened.sources().map(({ file, upTo, load }) => ({ file, upTo, load })),
      lineMarks: format.lineMarks ?? USUAL_MARKS,
      log: () => {
        const resume = format.resume(place, opened.name)
        return new ForeignLog(opened, { agent: format.agent, path: place.path, resume, ...since, home, now })
      },
    }
  }

  async function find(id: SessionId) {
    return (await listed()).find(({ summary }) => summary.id === id)
  }

  /** The session at this path, even if its file has been removed, emptied or made unreadable since. */
  async function hadAt(path: string): Promise<ListedSession | undefined> {
    return (await listed()).find(({ format, place, summary }) => {
      if (summary.gone === undefined) return place.path === path && whyGone(place.main) === "unreadable"
      return originalOf(keptFolder(home, format.agent), place.path) === path
    })
  }

  return {
    homes,
    unreadable: () => unreadable,

    async list({ cwd, agents } = {}) {
      const folders = typeof cwd === "string" ? [cwd] : cwd
      const all = (await listed(agents, folders)).map(({ summary }) => summary)
      return folders === undefined ? all : all.filter(isIn(folders))
    },

    places: () => listed(),

    find,

    async canCreate(agent) {
      return formats.some((format) => format.agent === agent && format.creates)
    },

    async compose(agent, request) {
      const { composeNative } = await import("./native-session.ts")
      return composeNative(agent, formats, { homes, ...request })
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
      const { keep } = await import("./keep/keep.ts")
      return keep({ home, homes, formats: await formatsHere(), now }, options)
    },

    async cleanUps(cwd) {
      const { cleanUps } = await import("./keep/clean-ups.ts")
      return cleanUps(await formatsHere(), { home, homes, now: now(), cwd })
    },

    async restore(id) {
      const all = await listed()
      const found = all.find(({ summary }) => summary.id === id)
      if (found === undefined) throw new RetconError({ code: "not-found", what: "session", name: id })
      const { restoreWithTasks } = await import("./keep/restore-with-tasks.ts")
      return restoreWithTasks(found, all, keptFolder(home, found.format.agent))
    },

    async openPath(path) {
      const had = whyGone(path) === undefined && !isFolder(path) ? undefined : await hadAt(path)
      if (had !== undefined) return (await openPlace(had.format, had.place, had.summary)).log()
      const stat = attemptRead(path, () => statSync(path))
      const names = stat.isDirectory() ? attemptRead(path, () => readdirSync(path)) : undefined
      const head = stat.isFile() ? readHead(path) : undefined
      if (names === undefined && head === undefined) return undefined
      for (const known of formats) {
        const format = await known.load()
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

/** The person may have named the folder through a link. Each name is examined once: there may be thousands of sessions. */
function isIn(folders: readonly string[]): (session: SessionSummary) => boolean {
  const known = new Map<string, boolean>()
  return ({ cwd }) => {
    const answer = known.get(cwd) ?? isOneOf(folders, cwd)
    known.set(cwd, answer)
    return answer
  }
}

function isOneOf(folders: readonly string[], named: string): boolean {
  if (named === "" || folders.includes(named)) return named !== ""
  const real = orNothing(() => realpathSync(named))
  return real !== undefined && folders.includes(real)
}

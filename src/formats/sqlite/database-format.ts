// The kit for a format whose sessions share a database: its rules say what a row of a session means, and which lines its messages make. A
// copy of a session is a file with these lines.
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import { sessionIdOf } from "../ids.ts"
import type { AgentHomes, Format, Glance, SessionPlace } from "../port.ts"
import { filesIn, noteIfForbidden } from "../shared/folder-contents.ts"
import { firstLine, isoTime, textField } from "../shared/json-line.ts"
import { type LineRules, type LineSession, lineFormat } from "../shared/line-format.ts"
import type { Database } from "./database.ts"
import { isSqlite } from "./pages.ts"
import { readDatabase } from "./read-database.ts"
import type { SqliteValue } from "./row-values.ts"
import { SqliteDamage } from "./sqlite-damage.ts"

export type Values = Record<string, SqliteValue>

/** What a database says of one of its sessions: the first of its lines. */
export interface StoredSession extends LineSession {
  type: "session"
  updated?: string
}

export interface DatabaseRules extends Pick<LineRules, "agent" | "classify" | "fields" | "lineMarks" | "resume"> {
  /** The databases. Contract: as for `Format.find`. */
  databases(homes: AgentHomes): Iterable<string>
  /** Other files with lines, such as those of an older version. */
  older?(homes: AgentHomes): Iterable<string>
  /** The folder where copies of sessions are; the agent itself has no such folder. */
  copies(homes: AgentHomes): string
  /** Whether the agent made the database. */
  owns(database: Database): boolean
  /** A row of the table `sessions`. `file`: the database. */
  session(row: Values, file: string): StoredSession | undefined
  /** The messages of a session, in order. */
  messages(database: Database, name: string): Iterable<JsonObject>
  /** What the first line of a file says, if that is not a stored session. */
  sessionIn?: LineRules["session"]
}

/** Larger sessions are read up to here: a whole session has to be in memory. */
const MOST = 256 * 1024 * 1024

const PLAIN = /^[\w-]+$/

export function databaseFormat(rules: DatabaseRules): Format {
  const { agent } = rules
  const known = new SessionsOnce(rules)
  const ownFile = (path: string): SessionPlace => ({ path, main: path })
  const sessionIn: LineRules["session"] = (line, place) =>
    line.type === "session" && line.agent === agent && typeof line.name === "string"
      ? (line as unknown as LineSession)
      : rules.sessionIn?.(line, place)
  const glanceOf = (session: LineSession & { updated?: string }): Glance => {
    const { name, cwd, title, from, updated } = session
    const more = { ...(from && { from }), ...(updated !== undefined && { updated }) }
    return { name, cwd, title, id: sessionIdOf(agent, name), ...more }
  }
  const lines = lineFormat({
    ...rules,
    *find(homes) {
      const stored = new Set<string>()
      for (const file of rules.databases(homes)) {
        for (const place of known.places(file)) {
          stored.add(place.within as string)
          yield place
        }
      }
      const files = [...(rules.older?.(homes) ?? []), ...filesIn(rules.copies(homes), ".jsonl")]
      for (const path of files) if (!stored.has(nameIn(path))) yield ownFile(path)
    },
    session: sessionIn,
    title: (line) => (line.type === "session" ? textField(line, "title") : undefined),
    glance(place, { head }) {
      if (place.within !== undefined) {
        const stored = known.sessions(place.path).find(({ name }) => name === place.within)
        return stored === undefined ? undefined : glanceOf(stored)
      }
      const first = firstLine(head)
      const session = first === undefined ? undefined : sessionIn(first, place)
      return session === undefined ? undefined : glanceOf(session)
    },
    /** In a database with several sessions, the one used last. */
    detect({ path, head }) {
      if (head === undefined) return undefined
      if (isSqlite(head)) return known.newest(path)
      const first = firstLine(head)
      return first !== undefined && sessionIn(first, ownFile(path)) !== undefined ? ownFile(path) : undefined
    },
    load: (place) => (place.within === undefined ? undefined : () => linesAt(rules, place)),
    beside: ({ path, within }) => (within !== undefined && existsSync(`${path}-wal`) ? [`${path}-wal`] : []),
  })
  return {
    ...lines,
    exported(place, homes) {
      const { path, within } = place
      if (within === undefined || !PLAIN.test(within)) return undefined
      const stored = known.sessions(path).find(({ name }) => name === within)
      const updated = Date.parse(isoTime(stored?.updated))
      return { file: join(rules.copies(homes), `${within}.jsonl`), updated, bytes: () => wholeAt(rules, place) }
    },
  }
}

function nameIn(path: string): string {
  return (path.split("/").at(-1) ?? "").replace(/\.jsonl$/, "")
}

/** The sessions of the database read last: a list asks for each of them in turn. */
class SessionsOnce {
  readonly #rules: DatabaseRules
  #last: { state: string; sessions: StoredSession[] } | undefined

  constructor(rules: DatabaseRules) {
    this.#rules = rules
  }

  /** Empty if the database cannot be read, or is another agent's. */
  sessions(file: string): StoredSession[] {
    const state = `${file} ${sizeAndTime(file)} ${sizeAndTime(`${file}-wal`)}`
    if (this.#last?.state === state) return this.#last.sessions
    try {
      const sessions = readDatabase(file, (database) => this.#sessionsOf(database, file))
      this.#last = { state, sessions }
      return sessions
    } catch (error) {
      if (!(error instanceof SqliteDamage)) throw error
      noteIfForbidden(file)
      return []
    }
  }

  places(file: string): SessionPlace[] {
    return this.sessions(file).map(({ name }) => ({ path: file, main: newestFile(file), within: name }))
  }

  newest(file: string): SessionPlace | undefined {
    const sessions = this.sessions(file)
    const time = ({ updated }: StoredSession) => Date.parse(isoTime(updated))
    const [last] = sessions.toSorted((a, b) => time(b) - time(a))
    return last === undefined ? undefined : { path: file, main: newestFile(file), within: last.name }
  }

  #sessionsOf(database: Database, file: string): StoredSession[] {
    if (!this.#rules.owns(database)) return []
    const all = [...database.rows("sessions")].flatMap((row) => this.#rules.session(row.values(), file) ?? [])
    return all.filter(({ name }) => name !== "").toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }
}

/** Throws RetconError if it cannot be read whole. */
function wholeAt(rules: DatabaseRules, place: SessionPlace): Buffer {
  const bytes = readStored(rules, place)
  if (bytes !== undefined) return bytes
  throw new RetconError({ code: "io", path: place.path, problem: `it has no session ${place.within ?? ""}` })
}

/** Contract: never throws; what cannot be read becomes one line that is not JSON. */
function linesAt(rules: DatabaseRules, place: SessionPlace): Buffer {
  try {
    return readStored(rules, place) ?? Buffer.from(`it has no session ${place.within ?? ""}\n`)
  } catch (error) {
    if (error instanceof SqliteDamage) return Buffer.from(`${error.message.replaceAll("\n", " ")}\n`)
    throw error
  }
}

function readStored(rules: DatabaseRules, { path, within = "" }: SessionPlace): Buffer | undefined {
  return readDatabase(path, (database) => {
    const [row] = rules.owns(database) ? database.where("sessions", "id", within) : []
    const session = row === undefined ? undefined : rules.session(row.values(), path)
    if (session === undefined) return undefined
    const lines = [Buffer.from(printed({ ...session, agent: rules.agent }))]
    let size = 0
    for (const message of rules.messages(database, within)) {
      const line = Buffer.from(printed(message))
      size += line.length
      if (size > MOST) {
        lines.push(Buffer.from("the rest is not read: retcon reads at most 256 MB of a session in a database\n"))
        break
      }
      lines.push(line)
    }
    return Buffer.concat(lines)
  })
}

/** Leaves out a value that is nested too deeply to print. */
function printed(value: object): string {
  try {
    return `${JSON.stringify(value)}\n`
  } catch {
    return "a message that is nested too deeply\n"
  }
}

function sizeAndTime(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`
}

/** The file that the next change goes to. */
function newestFile(file: string): string {
  const wal = `${file}-wal`
  const stat = statSync(wal, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.size > 0 ? wal : file
}

export function textIn(values: Values, column: string): string | undefined {
  const value = values[column]
  const text = Buffer.isBuffer(value) ? value.toString("utf8") : value
  return typeof text === "string" && text !== "" ? text : undefined
}

export function jsonIn(values: Values, column: string): Json | undefined {
  const parsed = parseJson(textIn(values, column) ?? "")
  return parsed.ok ? parsed.value : undefined
}

/** Agents store seconds or milliseconds, or `YYYY-MM-DD hh:mm:ss` in UTC. */
export function timeIn(values: Values, column: string): string {
  const value = values[column]
  if (typeof value === "number") return isoTime(value < 1e11 ? value * 1000 : value)
  const text = textIn(values, column) ?? ""
  return isoTime(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? `${text.replace(" ", "T")}.000Z` : text)
}

export function objectsIn(values: Values, column: string): JsonObject[] {
  const list = jsonIn(values, column)
  return Array.isArray(list) ? list.filter(isObject) : []
}

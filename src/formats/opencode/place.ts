// Where opencode keeps sessions: `~/.local/share/opencode/opencode.db`, formerly in `storage/` beside it.
import { statSync } from "node:fs"
import { basename, isAbsolute, join } from "node:path"
import type { SessionId } from "../../model/id.ts"
import type { JsonObject } from "../../model/json.ts"
import { sessionIdOf } from "../ids.ts"
import type { AgentHomes, SessionPlace } from "../port.ts"
import { filesIn, foldersIn, noteIfForbidden } from "../shared/folder-contents.ts"
import { textField } from "../shared/json-line.ts"
import { readDatabase } from "../sqlite/read-database.ts"
import { SqliteDamage } from "../sqlite/sqlite-damage.ts"
import { sessionsIn } from "./stored-session.ts"

export function dataFolder({ home, env }: AgentHomes): string {
  const data = env.XDG_DATA_HOME
  return join(data === undefined || data === "" ? join(home, ".local", "share") : data, "opencode")
}

/** Where copies of sessions from a database are, in the form of `opencode export`. opencode has no such folder. */
export const EXPORTED = "exported"

/** Contract: as for `find`; databases have to be read to find their sessions. */
export function* placesIn(homes: AgentHomes): Iterable<SessionPlace> {
  const folder = dataFolder(homes)
  const known = new Set<string>()
  for (const path of databasesIn(folder, homes.env.OPENCODE_DB)) {
    for (const place of placesInDatabase(path)) {
      known.add(place.within as string)
      yield place
    }
  }
  const folders = [...foldersIn(join(folder, "storage", "session")), join(folder, EXPORTED)]
  for (const path of folders.flatMap((each) => filesIn(each, ".json"))) {
    if (!known.has(basename(path, ".json"))) yield { path, main: path }
  }
  for (const path of filesIn(join(folder, EXPORTED), "")) if (stateIn(path) !== undefined) yield { path, main: path }
}

/**
 * The id of the session in a file. An earlier copy has messages that the session itself has lost, so it is a session of its own.
 */
export function sessionIdAt({ path }: Pick<SessionPlace, "path">, name: string): SessionId {
  const state = stateIn(path)
  return sessionIdOf("opencode", state === undefined ? name : `${name} ${state}`)
}

/** An earlier copy ends with the hash of its content. */
function stateIn(path: string): string | undefined {
  return /^ses_\w+\.json\.([0-9a-f]{32})$/.exec(basename(path))?.[1]
}

/** Release channels other than the stable one each have their own database. */
function databasesIn(folder: string, own: string | undefined): string[] {
  const all = filesIn(folder, ".db").filter((path) => /^opencode(-[\w.-]+)?\.db$/.test(basename(path)))
  if (own === undefined || own === "" || own === ":memory:") return all
  return [...new Set([isAbsolute(own) ? own : join(folder, own), ...all])]
}

export function placesInDatabase(path: string): SessionPlace[] {
  return infosIn(path).flatMap((info) => {
    const within = textField(info, "id")
    return within === undefined || within === "" ? [] : [{ path, main: newest(path), within }]
  })
}

/** The sessions of the database read last: a list asks for each of them in turn. */
let lastRead: { state: string; infos: JsonObject[] } | undefined

/** What a database knows about its sessions; empty if it cannot be read. */
export function infosIn(path: string): JsonObject[] {
  const state = `${path} ${sizeAndTime(path)} ${sizeAndTime(`${path}-wal`)}`
  if (lastRead?.state === state) return lastRead.infos
  try {
    const infos = readDatabase(path, sessionsIn)
    lastRead = { state, infos }
    return infos
  } catch (error) {
    if (!(error instanceof SqliteDamage)) throw error
    noteIfForbidden(path)
    return []
  }
}

function sizeAndTime(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`
}

/** The file that the next change goes to. */
function newest(path: string): string {
  const wal = `${path}-wal`
  const stat = statSync(wal, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.size > 0 ? wal : path
}

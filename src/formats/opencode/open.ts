// An open opencode session, wherever it is stored.
import { existsSync } from "node:fs"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { JsonObject } from "../../model/json.ts"
import { sessionIdOf } from "../ids.ts"
import type { Opened, SessionPlace, Source } from "../port.ts"
import { isoTime, objectField, textField } from "../shared/json-line.ts"
import { sessionHeader, taskOf } from "../shared/session-header.ts"
import { readDatabase } from "../sqlite/read-database.ts"
import { SqliteDamage } from "../sqlite/sqlite-damage.ts"
import { readExport } from "./export-file.ts"
import { isStored, sessionInFolder } from "./folder.ts"
import { opencodeHookNames } from "./hook-names.ts"
import { sessionIdAt } from "./place.ts"
import { readRecord, why } from "./record.ts"
import { OpencodeScanner } from "./scanner.ts"
import { printLines, type SessionLines } from "./session-lines.ts"
import { sessionIn } from "./stored-session.ts"

export function openOpencode(place: SessionPlace): Opened {
  const info = infoOf(place)
  const name = textField(info, "id") ?? ""
  const parent = textField(info, "parentID")
  const task = parent !== undefined
  const id = sessionIdAt(place, name)
  return {
    id,
    name,
    header: sessionHeader("opencode", {
      id,
      at: isoTime(objectField(info, "time")?.created),
      cwd: textField(info, "directory"),
      version: textField(info, "version"),
      from: parent === undefined ? undefined : taskOf(sessionIdOf("opencode", parent)),
    }),
    sources: () => sourcesOf(place),
    scanner: (sink, state) => new OpencodeScanner(sink, task, state),
    record: readRecord(task),
    why: why(task),
    hookNames: opencodeHookNames,
    // opencode leaves no trace of which session a process works on.
    holder: () => "unknown",
  }
}

/** Changes to a database go to the file beside it first. If that file changes or appears, everything must be read again. */
function sourcesOf({ path, within }: SessionPlace): Source[] {
  const main: Source = {
    number: 0,
    file: path,
    how: "rewritten",
    load: () => linesAt({ path, main: path, ...(within !== undefined && { within }) }),
  }
  const wal = `${path}-wal`
  if (within === undefined || !existsSync(wal)) return [main]
  return [{ number: 1, file: wal, how: "rewritten", load: () => Buffer.alloc(0) }, main]
}

/** Contract: never throws; what cannot be read becomes one line that is not JSON. */
function linesAt(place: SessionPlace): Buffer {
  try {
    return withSession(place, (session) => {
      let problem: string | undefined
      return printLines({ info: session.info, messages: untilDamage(session, (why) => (problem = why)) }, () => problem)
    })
  } catch (error) {
    if (error instanceof RetconError || error instanceof SqliteDamage) return Buffer.from(`${error.message}\n`)
    throw error
  }
}

function* untilDamage(
  { messages }: SessionLines,
  damaged: (why: string) => void,
): Generator<{ info: JsonObject; parts: readonly JsonObject[] }> {
  try {
    yield* messages
  } catch (error) {
    if (!(error instanceof SqliteDamage)) throw error
    damaged(error.message)
  }
}

function infoOf(place: SessionPlace): JsonObject {
  try {
    return withSession(place, ({ info }) => info)
  } catch (error) {
    if (!(error instanceof SqliteDamage)) throw error
    throw new RetconError({ code: "not-a-session", path: place.path, problem: error.message })
  }
}

function withSession<Value>({ path, within }: SessionPlace, use: (session: SessionLines) => Value): Value {
  const problem = within === undefined ? "it is not an opencode session" : `it has no session ${within}`
  const missing = () => new RetconError({ code: "not-a-session", path, problem })
  if (within !== undefined) {
    return readDatabase(path, (database) => {
      const session = sessionIn(database, within)
      if (session === undefined) throw missing()
      return use(session)
    })
  }
  const session = isStored(path) ? sessionInFolder(path) : readExport(path)
  if (session === undefined) throw missing()
  return use(session)
}

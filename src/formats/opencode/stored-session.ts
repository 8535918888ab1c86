// A session in opencode's database: rows of three tables, most of which are JSON.
import { isObject, type JsonObject, parseJson } from "../../model/json.ts"
import { numberField, objectField, textField } from "../shared/json-line.ts"
import type { Database } from "../sqlite/database.ts"
import type { SqliteValue } from "../sqlite/row-values.ts"
import type { SessionLines } from "./session-lines.ts"

type Values = Record<string, SqliteValue>

/** What the database says about its sessions, sorted by name. */
export function sessionsIn(database: Database): JsonObject[] {
  const all = [...database.rows("session")].map((row) => infoOf(row.values()))
  return all.sort((a, b) => ((textField(a, "id") ?? "") < (textField(b, "id") ?? "") ? -1 : 1))
}

/** Undefined if there is none of that name. Messages are read as they are consumed. */
export function sessionIn(database: Database, name: string): SessionLines | undefined {
  const [row] = database.where("session", "id", name)
  if (row === undefined) return undefined
  return { info: infoOf(row.values()), messages: messagesOf(database, name) }
}

/** The same with everything that `opencode import` needs. */
export function wholeSessionIn(database: Database, name: string): SessionLines | undefined {
  const [row] = database.where("session", "id", name)
  if (row === undefined) return undefined
  return { info: wholeInfoOf(row.values()), messages: messagesOf(database, name, wholeOf) }
}

function* messagesOf(
  database: Database,
  name: string,
  toJson = jsonOf,
): Generator<{ info: JsonObject; parts: JsonObject[] }> {
  const rows = [...database.where("message", "session_id", name)].map((row) => toJson(row.values()))
  for (const info of rows.sort(byTime)) {
    const own = [...database.where("part", "message_id", textField(info, "id") ?? "")].map((row) =>
      toJson(row.values()),
    )
    yield { info, parts: own.sort(byName) }
  }
}

/** The JSON of the row, with its id and when it was created. */
function jsonOf(values: Values): JsonObject {
  const data = dataOf(values)
  const created = typeof values.time_created === "number" ? values.time_created : 0
  const time = objectField(data, "time") ?? {}
  return { ...data, id: text(values.id), time: { created, ...time } }
}

/** In the form that opencode prints: the JSON of the row, with the ids that it omits. */
function wholeOf(values: Values): JsonObject {
  const messageID = text(values.message_id)
  const ids = { id: text(values.id), sessionID: text(values.session_id), ...(messageID !== "" && { messageID }) }
  return { ...dataOf(values), ...ids }
}

function dataOf(values: Values): JsonObject {
  const parsed = typeof values.data === "string" ? parseJson(values.data) : undefined
  return parsed?.ok === true && isObject(parsed.value) ? parsed.value : {}
}

function infoOf(values: Values): JsonObject {
  const parsed = typeof values.revert === "string" ? parseJson(values.revert) : undefined
  const parent = text(values.parent_id)
  const [created, updated] = [values.time_created, values.time_updated].map((time) =>
    typeof time === "number" ? time : 0,
  )
  return {
    id: text(values.id),
    directory: text(values.directory),
    title: text(values.title),
    version: text(values.version),
    ...(parent !== "" && { parentID: parent }),
    ...(parsed?.ok === true && isObject(parsed.value) && { revert: parsed.value }),
    time: { created: created ?? 0, updated: updated ?? 0 },
  }
}

function wholeInfoOf(values: Values): JsonObject {
  const number = (name: string) => {
    const value = values[name]
    return typeof value === "number" ? value : 0
  }
  const cache = { read: number("tokens_cache_read"), write: number("tokens_cache_write") }
  const [input, output, reasoning] = [number("tokens_input"), number("tokens_output"), number("tokens_reasoning")]
  const json = ["model", "permission"].flatMap((name) => {
    const parsed = parseJson(text(values[name]))
    return parsed.ok && parsed.value !== null ? [[name, parsed.value]] : []
  })
  const agent = text(values.agent)
  return {
    ...infoOf(values),
    slug: text(values.slug),
    projectID: text(values.project_id),
    path: text(values.path),
    ...(agent !== "" && { agent }),
    ...(Object.fromEntries(json) as JsonObject),
    cost: number("cost"),
    tokens: { input, output, reasoning, cache },
  }
}

function text(value: SqliteValue | undefined): string {
  return typeof value === "string" ? value : ""
}

function byTime(a: JsonObject, b: JsonObject): number {
  const [one, other] = [a, b].map((info) => numberField(objectField(info, "time"), "created") ?? 0)
  return (one ?? 0) - (other ?? 0) || byName(a, b)
}

function byName(a: JsonObject, b: JsonObject): number {
  const [one, other] = [textField(a, "id") ?? "", textField(b, "id") ?? ""]
  return one < other ? -1 : one > other ? 1 : 0
}

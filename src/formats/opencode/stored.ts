// A session in opencode's database: rows of three tables, of which most is JSON.
import { isObject, type JsonObject, parseJson } from "../../model/json.ts"
import { numberField, objectField, textField } from "../shared/json-line.ts"
import type { SessionLines } from "./session-lines.ts"
import type { Database } from "./sqlite/database.ts"
import type { SqliteValue } from "./sqlite/row-values.ts"

type Values = Record<string, SqliteValue>

/** What the database knows of its sessions, in the order of their names. */
export function sessionsIn(database: Database): JsonObject[] {
  const all = [...database.rows("session")].map((row) => infoOf(row.values()))
  return all.sort((a, b) => ((textField(a, "id") ?? "") < (textField(b, "id") ?? "") ? -1 : 1))
}

/** Undefined when there is none of that name. Messages are read while they are taken. */
export function sessionIn(database: Database, name: string): SessionLines | undefined {
  const [row] = database.where("session", "id", name)
  if (row === undefined) return undefined
  return { info: infoOf(row.values()), messages: messagesOf(database, name) }
}

function* messagesOf(database: Database, name: string): Generator<{ info: JsonObject; parts: JsonObject[] }> {
  const rows = [...database.where("message", "session_id", name)].map((row) => jsonOf(row.values()))
  for (const info of rows.sort(byTime)) {
    const own = [...database.where("part", "message_id", textField(info, "id") ?? "")].map((row) =>
      jsonOf(row.values()),
    )
    yield { info, parts: own.sort(byName) }
  }
}

/** As opencode prints it: the JSON of the row, with the columns that it leaves out. */
function jsonOf(values: Values): JsonObject {
  const parsed = typeof values.data === "string" ? parseJson(values.data) : undefined
  const data = parsed?.ok === true && isObject(parsed.value) ? parsed.value : {}
  const created = typeof values.time_created === "number" ? values.time_created : 0
  const time = objectField(data, "time") ?? {}
  return { ...data, id: text(values.id), time: { created, ...time } }
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

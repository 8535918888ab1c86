// Goose's sessions: rows of one database, formerly a file of lines each.
import { basename, join } from "node:path"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { lineMarks } from "../../model/line-marks.ts"
import type { Part } from "../../model/record/record.ts"
import type { AgentHomes } from "../port.ts"
import { filesIn } from "../shared/folder-contents.ts"
import { listField, objectField, textField } from "../shared/json-line.ts"
import type { SaidLine } from "../shared/line-format.ts"
import { databaseFormat, jsonIn, objectsIn, textIn, timeIn } from "../sqlite/database-format.ts"

export const goose = databaseFormat({
  agent: "goose",
  fields: { at: "at", id: "id" },

  *databases(homes) {
    for (const folder of folders(homes))
      yield* filesIn(folder, "sessions.db").filter((path) => basename(path) === "sessions.db")
  },

  *older(homes) {
    for (const folder of folders(homes)) yield* filesIn(folder, ".jsonl")
  },

  copies: (homes) => join(folders(homes)[0] as string, "exported"),

  owns: (database) => database.has("sessions") && database.has("messages") && database.has("schema_version"),

  session(row) {
    const name = textIn(row, "id")
    if (name === undefined) return undefined
    const title = textIn(row, "name") ?? textIn(row, "description")
    const [at, updated] = [timeIn(row, "created_at"), timeIn(row, "updated_at")]
    return { type: "session", name, cwd: textIn(row, "working_dir"), title, at, updated }
  },

  /** The first line of an older file has the folder, and no name. */
  sessionIn(line, { main }) {
    const cwd = textField(line, "working_dir")
    if (cwd === undefined || line.role !== undefined || !main.endsWith(".jsonl")) return undefined
    return { name: basename(main, ".jsonl"), cwd, title: textField(line, "description") || undefined }
  },

  *messages(database, name) {
    const rows = [...database.where("messages", "session_id", name)].map((row) => row.values())
    for (const row of rows.toSorted((a, b) => Number(a.id) - Number(b.id))) {
      const [role, metadata] = [textIn(row, "role") ?? "", jsonIn(row, "metadata_json") ?? null]
      const at = timeIn(row, "created_timestamp")
      yield {
        type: "message",
        id: textIn(row, "message_id") ?? "",
        at,
        role,
        metadata,
        content: objectsIn(row, "content_json"),
      }
    }
  },

  classify,

  lineMarks: lineMarks([
    ['"type":"toolResponse"', "result"],
    ['"type":"toolRequest"', "call"],
  ]),

  resume: (name) => ["goose", "session", "--resume", "--session-id", name],
})

function folders({ home, env }: AgentHomes): string[] {
  const [root, data] = [env.GOOSE_PATH_ROOT ?? "", env.XDG_DATA_HOME ?? ""]
  if (root !== "") return [join(root, "data", "sessions")]
  const linux = join(data === "" ? join(home, ".local", "share") : data, "goose", "sessions")
  return [linux, join(home, "Library", "Application Support", "Block", "goose", "sessions")]
}

function classify(line: JsonObject): SaidLine | undefined {
  const content = listField(line, "content").flatMap(partOf)
  const { role, metadata } = line
  if (content.length === 0 || line.type === "session") return undefined
  // What a compaction replaced stays in the list, but is not for the model any more.
  const dropped = isObject(metadata) && metadata.agentVisible === false ? true : undefined
  const why = `role is "${textField(line, "role") ?? ""}"`
  if (role === "assistant") return { role: "assistant", origin: "agent", why, content, dropped }
  if (role !== "user") return undefined
  if (content.some(({ type }) => type === "tool-result")) {
    return { role: "tool", origin: "tool", why: "it has a toolResponse", content, dropped }
  }
  if (isObject(metadata) && metadata.userVisible === false) {
    return { role: "user", origin: "injection", why: "userVisible is false", content, dropped }
  }
  return { role: "user", origin: "prompt", why, content, dropped }
}

function partOf(value: Json): Part[] {
  const raw = isObject(value) ? value : { value }
  const text = (field: string) => textField(raw, field) ?? ""
  switch (textField(raw, "type") ?? "") {
    case "text":
      return text("text") === "" ? [] : [{ type: "text", text: text("text") }]
    case "thinking":
      return [{ type: "reasoning", text: text("thinking") }]
    case "image":
      return [{ type: "image", mediaType: text("mimeType"), data: text("data") }]
    case "toolRequest":
    case "frontendToolRequest": {
      const call = objectField(objectField(raw, "toolCall"), "value")
      const input = call?.arguments ?? {}
      return [{ type: "tool-call", call: text("id"), name: textField(call, "name") ?? "", input }]
    }
    case "toolResponse":
      return [resultOf(text("id"), objectField(raw, "toolResult"))]
    // For the person only.
    case "systemNotification":
    case "toolConfirmationRequest":
    case "actionRequired":
    case "redactedThinking":
      return []
    default:
      return [{ type: "unknown", raw }]
  }
}

/** Older versions have a list where newer ones have an object with one. */
function resultOf(call: string, result: JsonObject | undefined): Part {
  const value = result?.value
  const blocks = Array.isArray(value) ? value : listField(value, "content")
  const parts = blocks.filter((block) => textField(block, "type") !== "toolResponse").flatMap(partOf)
  const output = parts.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join("\n")
  const media = parts.filter(({ type }) => type === "image")
  const failed = result?.status === "error" || (isObject(value) && value.isError === true)
  return {
    type: "tool-result",
    call,
    output: output === "" ? (textField(result, "error") ?? "") : output,
    ...(failed && { error: true as const }),
    ...(media.length > 0 && { media }),
  }
}

// Crush's sessions: rows of a database in each project. A list of the projects is in Crush's own folder.
import { dirname, join } from "node:path"
import { type JsonObject, parseJson } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"
import type { AgentHomes } from "../port.ts"
import { filesIn } from "../shared/folder-contents.ts"
import { listField, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import type { SaidLine } from "../shared/line-format.ts"
import { readHead } from "../shared/read-head.ts"
import { databaseFormat, objectsIn, textIn, timeIn } from "../sqlite/database-format.ts"

export const crush = databaseFormat({
  agent: "crush",
  fields: { at: "at", id: "id" },

  *databases(homes) {
    const projects = listField(parseLine(readHead(join(dataFolder(homes), "projects.json"), 1024 * 1024)), "projects")
    const folders = projects.flatMap((project) => textField(project, "data_dir") ?? [])
    for (const folder of [...new Set(folders)].sort()) {
      yield* filesIn(folder, "crush.db").filter((path) => path === join(folder, "crush.db"))
    }
  },

  copies: (homes) => join(dataFolder(homes), "exported"),

  owns: (database) => database.has("sessions") && database.has("messages") && database.has("files"),

  session(row, file) {
    const [name, asker] = [textIn(row, "id"), textIn(row, "parent_session_id")]
    if (name === undefined) return undefined
    const [at, updated] = [timeIn(row, "created_at"), timeIn(row, "updated_at")]
    const folder = dirname(file)
    const cwd = textIn(row, "workspace_cwd") ?? (folder.endsWith("/.crush") ? dirname(folder) : undefined)
    const from = asker === undefined ? {} : { from: { name: asker, as: "task" as const } }
    return { type: "session", name, cwd, title: textIn(row, "title"), at, updated, ...from }
  },

  *messages(database, name) {
    const rows = [...database.where("messages", "session_id", name)].map((row) => row.values())
    const order = (row: (typeof rows)[0]) => timeIn(row, "created_at")
    for (const row of rows.toSorted((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0))) {
      yield {
        type: "message",
        id: textIn(row, "id") ?? "",
        at: timeIn(row, "created_at"),
        role: textIn(row, "role") ?? "",
        model: textIn(row, "model") ?? null,
        summary: row.is_summary_message === 1,
        parts: objectsIn(row, "parts"),
      }
    }
  },

  classify,

  resume: (name) => ["crush", "--session", name],
})

function dataFolder({ home, env }: AgentHomes): string {
  const own = env.CRUSH_GLOBAL_DATA ?? ""
  const data = env.XDG_DATA_HOME ?? ""
  return own !== "" ? own : join(data === "" ? join(home, ".local", "share") : data, "crush")
}

function classify(line: JsonObject): SaidLine | undefined {
  if (line.type !== "message") return undefined
  const parts = listField(line, "parts")
  const content = parts.flatMap(partOf)
  if (content.length === 0) return undefined
  const why = `role is "${textField(line, "role") ?? ""}"`
  if (line.summary === true) return { role: "user", origin: "summary", why: "it is a summary", content, summary: true }
  if (line.role === "tool") return { role: "tool", origin: "tool", why, content }
  if (line.role === "assistant") {
    const finish = parts.find((part) => textField(part, "type") === "finish")
    const reason = textField(objectField(finish, "data"), "reason")
    const dropped = reason === "error" && content.every(({ type }) => type !== "tool-call") ? true : undefined
    return { role: "assistant", origin: "agent", why, content, model: textField(line, "model"), dropped }
  }
  if (line.role !== "user") return undefined
  const has = (type: string) => parts.some((part) => textField(part, "type") === type)
  const texts = parts.filter((part) => textField(part, "type") === "text").map((part) => objectField(part, "data"))
  if (has("shell_command") && texts.every((text) => (textField(text, "text") ?? "") === "")) {
    return { role: "user", origin: "shell", why: "it has only a shell_command", content }
  }
  if (texts.length > 0 && texts.every((text) => text?.hidden === true)) {
    return { role: "user", origin: "injection", why: "its text is hidden", content }
  }
  return { role: "user", origin: "prompt", why, content }
}

function partOf(part: unknown): Part[] {
  const raw = part as JsonObject
  const data = objectField(raw, "data")
  const text = (field: string) => textField(data, field) ?? ""
  switch (textField(raw, "type") ?? "") {
    case "text":
      return text("text") === "" ? [] : [{ type: "text", text: text("text") }]
    case "reasoning":
      return text("thinking") === "" ? [] : [{ type: "reasoning", text: text("thinking") }]
    case "tool_call": {
      const input = parseJson(text("input") === "" ? "{}" : text("input"))
      return [
        { type: "tool-call", call: text("id"), name: text("name"), input: input.ok ? input.value : text("input") },
      ]
    }
    case "tool_result":
      return [resultOf(data ?? {})]
    case "shell_command": {
      const code = numberField(data, "exit_code") ?? 0
      return [{ type: "text", text: `$ ${text("command")}\n${text("output")}\n(exit code ${code})` }]
    }
    case "binary":
      return [fileOf(data ?? {})]
    case "finish":
      return []
    default:
      return [{ type: "unknown", raw }]
  }
}

function resultOf(data: JsonObject): Part {
  const [media, mediaType] = [textField(data, "data") ?? "", textField(data, "mime_type") ?? ""]
  return {
    type: "tool-result",
    call: textField(data, "tool_call_id") ?? "",
    name: textField(data, "name") ?? "",
    output: textField(data, "content") ?? "",
    ...(data.is_error === true && { error: true as const }),
    ...(media !== "" && { media: [fileOf({ MIMEType: mediaType, Data: media })] }),
  }
}

function fileOf(data: JsonObject): Part {
  const [mediaType, bytes] = [textField(data, "MIMEType") ?? "", textField(data, "Data") ?? ""]
  const name = textField(data, "Path")
  if (mediaType.startsWith("image/")) return { type: "image", mediaType, data: bytes }
  return { type: "file", mediaType, data: bytes, ...(name !== undefined && { name }) }
}

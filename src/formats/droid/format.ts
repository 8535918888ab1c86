// Factory Droid's sessions: one file per session, with a line for each message.
import { join } from "node:path"
import type { JsonObject } from "../../model/json.ts"
import { lineMarks } from "../../model/line-marks.ts"
import type { Part } from "../../model/record/record.ts"
import { partsOf } from "../shared/anthropic-parts.ts"
import { contentsOf, foldersIn } from "../shared/folder-contents.ts"
import { numberField, objectField, textField } from "../shared/json-line.ts"
import { type LineRules, lineFormat, type SaidLine } from "../shared/line-format.ts"

const REMINDER = /^\s*<(system-reminder|system-notification)>[\s\S]*<\/\1>\s*$/

const rules: LineRules = {
  agent: "droid",
  fields: { at: "timestamp", id: "id", parent: "parentId" },

  *find({ home, env }) {
    const own = env.FACTORY_HOME_OVERRIDE ?? ""
    const { files, folders } = contentsOf(join(own === "" ? home : own, ".factory", "sessions"), ".jsonl")
    yield* files
    for (const project of folders.flatMap((folder) => [folder, ...foldersIn(folder)])) {
      yield* contentsOf(project, ".jsonl").files
    }
  },

  session(first) {
    const name = textField(first, "id")
    if (first.type !== "session_start" || name === undefined) return undefined
    const [title, asker, tool] = ["title", "callingSessionId", "callingToolUseId"].map((field) =>
      textField(first, field),
    )
    const named = title === "New Session" ? undefined : (textField(first, "sessionTitle") ?? title)
    const from = asker === undefined ? undefined : ({ name: asker, as: tool === undefined ? "split" : "task" } as const)
    return {
      name,
      cwd: textField(first, "cwd"),
      title: named,
      version: String(numberField(first, "version") ?? ""),
      from,
    }
  },

  title: (line) =>
    line.type === "session_start" ? (textField(line, "sessionTitle") ?? textField(line, "title")) : undefined,

  classify(line): SaidLine | undefined {
    if (line.type === "compaction_state") return summaryOf(line)
    const message = objectField(line, "message")
    const content = partsOf(message?.content)
    if (line.type !== "message" || content.length === 0) return undefined
    const why = `message.role is "${textField(message, "role") ?? ""}"`
    if (message?.role === "assistant") {
      return { role: "assistant", origin: "agent", why, content, model: textField(message, "modelId") }
    }
    if (message?.role !== "user") return undefined
    if (content.some(({ type }) => type === "tool-result"))
      return { role: "tool", origin: "tool", why: "it has a tool_result", content }
    return userOf(content, message)
  },

  lineMarks: lineMarks([["<system-reminder>", "other"]]),

  resume: (name) => ["droid", "--resume", name],
}

export const droid = lineFormat(rules)

function userOf(content: Part[], message: JsonObject): SaidLine {
  const typed = content.filter((part) => part.type !== "text" || !REMINDER.test(part.text ?? ""))
  const texts = typed.flatMap((part) => (part.type === "text" ? [part.text] : []))
  if (typed.length === 0) return { role: "user", origin: "injection", why: "all its texts are reminders", content }
  if (message.visibility === "llm_only")
    return { role: "user", origin: "injection", why: "visibility is llm_only", content }
  const display = typed.length === content.length ? undefined : texts.join("\n")
  return { role: "user", origin: "prompt", why: "it has a text that is no reminder", content, display }
}

function summaryOf(line: JsonObject): SaidLine | undefined {
  const text = textField(line, "summaryText") ?? ""
  if (text === "") return undefined
  return {
    role: "user",
    origin: "summary",
    why: "it has summaryText",
    content: [{ type: "text", text }],
    summary: true,
  }
}

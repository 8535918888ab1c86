// Attachments that Claude Code adds on its own: which of them belong to the conversation, and their text.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { Origin } from "../../model/record/origin.ts"
import type { Part } from "../../model/record/part.ts"
import { listField, objectField, textField } from "../shared/json-line.ts"
import { partsOf } from "./parts.ts"

/** Attachments about the work. All others describe the program itself: its tools, its skills, the date. */
const ORIGINS: ReadonlyMap<string, Origin> = new Map([
  ["queued_command", "steer"],
  ["file", "injection"],
  ["directory", "injection"],
  ["edited_text_file", "injection"],
  ["selected_lines_in_ide", "injection"],
  ["nested_memory", "injection"],
  ["mcp_resource", "injection"],
  ["hook_additional_context", "hook"],
  ["hook_blocking_error", "hook"],
])

/** Undefined if it is not a message. */
export function attachmentOrigin(attachment: JsonObject): Origin | undefined {
  const type = textField(attachment, "type") ?? ""
  if (type === "queued_command") return queuedOrigin(attachment)
  return ORIGINS.get(type)
}

export function isAttachedMessage(type: string): boolean {
  return ORIGINS.has(type)
}

function queuedOrigin(attachment: JsonObject): Origin {
  const kind = textField(objectField(attachment, "origin"), "kind")
  const mode = textField(attachment, "commandMode")
  if (mode === "task-notification" || (kind !== undefined && kind !== "human")) return "notification"
  return attachment.isMeta === true ? "injection" : "steer"
}

/** What the model gets of it. Later versions store exactly what was sent. */
export function attachedParts(line: JsonObject): Part[] {
  const attachment = objectField(line, "attachment") ?? {}
  if (attachment.type === "queued_command") return partsOf(attachment.prompt)
  const rendered = listField(line, "rendered").flatMap((each) => (isObject(each) ? partsOf(each.content) : []))
  if (rendered.length > 0) return rendered
  const text = ownText(attachment)
  return text === "" ? [] : [{ type: "text", text: `<system-reminder>\n${text}\n</system-reminder>` }]
}

/** For versions that generate the text on sending: as much of it as the file has. */
function ownText(attachment: JsonObject): string {
  const name = textField(attachment, "filename") ?? textField(attachment, "path")
  const body =
    textField(attachment, "snippet") ??
    contentText(attachment.content) ??
    textField(objectField(attachment, "blockingError"), "blockingError")
  if (body === undefined) return ""
  return name === undefined ? body : `${name}:\n${body}`
}

function contentText(content: Json | undefined): string | undefined {
  if (typeof content === "string") return content
  if (Array.isArray(content)) return content.filter((each) => typeof each === "string").join("\n")
  return textField(objectField(content, "file"), "content") ?? textField(content, "content")
}

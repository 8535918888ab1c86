// Attachments that Claude Code adds on its own: which of them belong to the conversation, and their text.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { Origin } from "../../model/record/origin.ts"
import type { Part } from "../../model/record/record.ts"
import { partsOf } from "../shared/anthropic-parts.ts"
import { listField, numberField, objectField, textField } from "../shared/json-line.ts"
import { isSince, RENDERS } from "./versions.ts"

/** Attachments about the work: what the person, their editor and their hooks added. */
const ORIGINS: ReadonlyMap<string, Origin> = new Map([
  ["queued_command", "steer"],
  ["file", "injection"],
  ["directory", "injection"],
  ["edited_text_file", "injection"],
  ["selected_lines_in_ide", "injection"],
  ["nested_memory", "injection"],
  ["mcp_resource", "injection"],
  ["hook_success", "hook"],
  ["hook_additional_context", "hook"],
  ["hook_blocking_error", "hook"],
  ["hook_stopped_continuation", "hook"],
])

/** What the program tells its model about itself, its tools and the date, or notes for itself. Another program has its own. */
const OWN: ReadonlySet<string> = new Set(
  `agent_listing_delta already_read_file auto_mode auto_mode_exit batching_reminder budget_usd command_permissions
  compaction_reminder context_efficiency context_tip credential_org critical_system_reminder date date_change
  deferred_tools_delta deferred_tools_record dynamic_skill edited_image_file elapsed_time_reminder environment goal_status
  hook_cancelled hook_deferred_tool hook_error_during_execution hook_non_blocking_error hook_permission_decision
  hook_system_message invoked_skills max_turns_reached mcp_instructions_delta model output_limit_note output_style
  output_style_instructions output_token_usage plan_mode plan_mode_exit plan_mode_reentry prefix_delta prompt_render_point
  prompt_snapshot remote_session_change sandbox_instructions secondary_reminder session_context silent_turn_reminder
  skill_listing structured_output task_reminder thread_state todo_reminder token_usage tool_search_usage_reminder
  total_tokens_reminder ultra_effort_enter ultra_effort_exit ultrathink_effort workflow_keyword_request`.split(/\s+/),
)

/** The events whose hooks speak to the model with what they print. */
const HEARD: ReadonlySet<string> = new Set(["SessionStart", "UserPromptSubmit", "UserPromptExpansion"])

/** Undefined if it is not a message. Later versions store what they send: what is stored, and not the program's own, counts. */
export function attachmentOrigin(line: JsonObject): Origin | undefined {
  const attachment = objectField(line, "attachment")
  const type = textField(attachment, "type") ?? ""
  if (attachment === undefined || OWN.has(type)) return undefined
  if (type === "queued_command") return queuedOrigin(attachment)
  if (type !== "hook_success") return ORIGINS.get(type) ?? (isRendered(line) ? "injection" : undefined)
  return HEARD.has(textField(attachment, "hookEvent") ?? "") && textField(attachment, "content") ? "hook" : undefined
}

/** Whether attachments of this type are never messages. */
export function isOwnAttachment(type: string): boolean {
  return OWN.has(type)
}

/** Whether the model gets nothing of it that belongs to the conversation. */
export function saysNothing(line: JsonObject): boolean {
  const type = textField(objectField(line, "attachment"), "type") ?? ""
  return OWN.has(type) || ORIGINS.has(type) || isSince(line, RENDERS)
}

function isRendered(line: JsonObject): boolean {
  return listField(line, "rendered").length > 0
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
  const text = hookText(attachment) ?? fileText(attachment) ?? ownText(attachment)
  return text === "" ? [] : [{ type: "text", text: `<system-reminder>\n${text}\n</system-reminder>` }]
}

/** In the program's own words, which every version has. */
function hookText(attachment: JsonObject): string | undefined {
  const hook = `${textField(attachment, "hookName") ?? ""} hook`
  const error = objectField(attachment, "blockingError")
  switch (textField(attachment, "type") ?? "") {
    case "hook_success":
      return `${hook} success: ${contentText(attachment.content) ?? ""}`
    case "hook_additional_context":
      return `${hook} additional context: ${contentText(attachment.content) ?? ""}`
    case "hook_blocking_error":
      return `${hook} blocking error from command: "${textField(error, "command") ?? ""}": ${textField(error, "blockingError") ?? ""}`
    case "hook_stopped_continuation":
      return `${hook} stopped continuation: ${textField(attachment, "message") ?? ""}`
    default:
      return undefined
  }
}

/** In the program's own words, as if its tool had read the file. */
function fileText(attachment: JsonObject): string | undefined {
  const file = objectField(attachment.content, "file")
  const [name, content] = [textField(attachment, "filename"), textField(file, "content")]
  if (attachment.type !== "file" || name === undefined || content === undefined) return undefined
  const first = numberField(file, "startLine") ?? 1
  const lines = content.split("\n").map((line, at) => `${first + at}\t${line}`)
  const called = `Called the Read tool with the following input: ${JSON.stringify({ file_path: name })}`
  return [called, "Result of calling the Read tool:", ...lines].join("\n")
}

/** For versions that generate the text on sending: as much of it as the file has. */
function ownText(attachment: JsonObject): string {
  const name = textField(attachment, "filename") ?? textField(attachment, "path")
  const body = textField(attachment, "snippet") ?? contentText(attachment.content)
  if (body === undefined) return ""
  return name === undefined ? body : `${name}:\n${body}`
}

function contentText(content: Json | undefined): string | undefined {
  if (typeof content === "string") return content
  if (Array.isArray(content)) return content.filter((each) => typeof each === "string").join("\n")
  return textField(objectField(content, "file"), "content") ?? textField(content, "content")
}

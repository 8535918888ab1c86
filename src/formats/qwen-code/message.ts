// Who said what in a Qwen Code session, and its parts as ours.
import type { JsonObject } from "../../model/json.ts"
import type { Origin } from "../../model/record/origin.ts"
import { type Part, plainText } from "../../model/record/record.ts"
import { partList, partOf, resultsIn } from "../shared/gemini-parts.ts"
import { objectField, textField } from "../shared/json-line.ts"
import type { MessageAuthor } from "../shared/message-author.ts"

/** Of a `user` line; without a subtype a person typed it. */
const SUBTYPES: Readonly<Record<string, Origin>> = {
  mid_turn_user_message: "steer",
  notification: "notification",
  background_task_completed: "notification",
  agent_mention: "notification",
  agent_message: "notification",
  agent_launch_prompt: "task",
  cron: "injection",
  goal_runtime: "injection",
}

const REMINDER = /^\s*<(system-reminder|qwen:user-prompt-submit-context)>[\s\S]*<\/\1>\s*$/

/** What `!` and a command put into the conversation. */
const SHELL = "I ran the following shell command:\n```sh\n"

/** Undefined if it is not to or from the model. */
export function authorOf(line: JsonObject): MessageAuthor | undefined {
  const type = textField(line, "type")
  const subtype = textField(line, "subtype")
  if (objectField(line, "message") === undefined || subtype === "realtime_message") return undefined
  if (type === "assistant") return { role: "assistant", origin: "agent", why: 'type is "assistant"' }
  if (type === "tool_result") {
    // An internal call, which no answer of the model names.
    if (subtype === "code_mode_tool_result") return undefined
    return { role: "tool", origin: "tool", why: 'type is "tool_result"' }
  }
  if (type !== "user") return undefined
  if (subtype !== undefined) {
    return { role: "user", origin: SUBTYPES[subtype] ?? "injection", why: `subtype is "${subtype}"` }
  }
  const parts = messageParts(line)
  if (parts.length > 0 && parts.every(isReminder)) {
    return { role: "user", origin: "injection", why: "all its texts are reminders" }
  }
  if (plainText(parts).startsWith(SHELL))
    return { role: "user", origin: "shell", why: "it says that the person ran it" }
  if (line.isSidechain === true) {
    const task = line.parentUuid === null
    return { role: "user", origin: task ? "task" : "injection", why: "isSidechain is true" }
  }
  return { role: "user", origin: "prompt", why: 'type is "user", and nothing says otherwise' }
}

/** The parts of a message as the model gets them. */
export function partsOf(line: JsonObject): Part[] {
  return line.type === "tool_result" ? resultsIn(contentOf(line)) : messageParts(line)
}

/** What the person typed, if more was sent. */
export function displayOf(line: JsonObject): string | undefined {
  if (line.type !== "user") return undefined
  const told = textField(objectField(line, "systemPayload"), "displayText")
  if (told !== undefined) return told
  const parts = messageParts(line)
  const typed = parts.filter((part) => !isReminder(part))
  return typed.length === parts.length || typed.length === 0 ? undefined : plainText(typed)
}

/** What the person typed, if it is a prompt. */
export function promptText(line: JsonObject): string | undefined {
  if (authorOf(line)?.origin !== "prompt") return undefined
  return displayOf(line) ?? plainText(messageParts(line))
}

function isReminder(part: Part): boolean {
  return part.type === "text" && REMINDER.test(part.text ?? "")
}

function messageParts(line: JsonObject): Part[] {
  return contentOf(line).map(partOf)
}

function contentOf(line: JsonObject) {
  return partList(objectField(line, "message")?.parts)
}

/** The messages that replace the conversation so far: a summary, and what is sent with it. */
export function compressedIn(line: JsonObject): JsonObject[] | undefined {
  if (line.type !== "system" || line.subtype !== "chat_compression") return undefined
  const history = objectField(line, "systemPayload")?.compressedHistory
  if (!Array.isArray(history)) return undefined
  return history.filter((each): each is JsonObject => objectField({ each }, "each") !== undefined)
}

/** The title that a line gives the session. */
export function titleIn(line: JsonObject): string | undefined {
  if (line.subtype !== "custom_title") return undefined
  return textField(objectField(line, "systemPayload"), "customTitle")
}

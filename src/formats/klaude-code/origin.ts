// Who put a message into a Klaude Code session, judged by the type of its line first.
import type { JsonObject } from "../../model/json.ts"
import { listField, objectField, textField } from "../shared/json-line.ts"
import type { MessageAuthor } from "../shared/message-author.ts"

/** Both wordings that versions have had. Only the whole text counts: a message may quote one. */
const CHECKPOINT = /^<(system|system-reminder)>Checkpoint (\d{1,9})<\/\1>$/

export function textOf(data: JsonObject | undefined): string {
  return listField(data, "parts")
    .flatMap((part) => (textField(part, "type") === "text" ? (textField(part, "text") ?? []) : []))
    .join("")
}

/** The number of the checkpoint that a line marks. */
export function checkpointIn(line: JsonObject): number | undefined {
  if (line.type !== "DeveloperMessage") return undefined
  const found = CHECKPOINT.exec(textOf(objectField(line, "data")))?.[2]
  return found === undefined ? undefined : Number(found)
}

/** `isTask`: it is a sub-agent's session. Undefined for what is not a message. */
export function authorOf(line: JsonObject, isTask: boolean): MessageAuthor | undefined {
  const data = objectField(line, "data")
  const why = `type is "${textField(line, "type") ?? ""}"`
  switch (textField(line, "type") ?? "") {
    case "UserMessage":
      return { role: "user", ...userOrigin(data, isTask, why) }
    case "DeveloperMessage":
      return { role: "user", origin: "injection", why }
    case "AssistantMessage":
      return { role: "assistant", origin: "agent", why }
    case "ToolResultMessage":
      return { role: "tool", origin: "tool", why }
    case "RewindEntry":
    case "BacktrackEntry":
      return { role: "user", origin: "note", why }
    default:
      return undefined
  }
}

function userOrigin(data: JsonObject | undefined, isTask: boolean, why: string): Pick<MessageAuthor, "origin" | "why"> {
  if (data?.source === "bash_mode") return { origin: "shell", why: 'data.source is "bash_mode"' }
  if (!isTask) return { origin: "prompt", why }
  if (!textOf(data).startsWith("<system-reminder>")) return { origin: "task", why: "meta.json names a parent" }
  return { origin: "injection", why: "it begins with <system-reminder>, and meta.json names a parent" }
}

// Who said what in a Neovate Code session, and its parts as ours.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { type Part, plainText } from "../../model/record/record.ts"
import { readDataUrl } from "../shared/data-url.ts"
import { listField, objectField, textField } from "../shared/json-line.ts"
import type { MessageAuthor } from "../shared/message-author.ts"
import { authorByMark } from "../shared/retcon-mark.ts"
import { unwrappedInput } from "../shared/step-parts.ts"

export const COMPACTED = "Chat history compacted successfully."
const INTERRUPTED = "[Request interrupted by user]"
const SHELL = /^<bash-(input|stdout|stderr)>/

/** A summary of everything before it, written as the first message of a new conversation. */
export function isCompaction(line: JsonObject): boolean {
  return line.role === "user" && line.parentUuid === null && line.uiContent === COMPACTED
}

/** Undefined for what is not a message. */
export function authorOf(line: JsonObject): MessageAuthor | undefined {
  if (line.type !== "message") return undefined
  if (line.role === "assistant") return { role: "assistant", origin: "agent", why: 'role is "assistant"' }
  if (line.role === "tool") return { role: "tool", origin: "tool", why: 'role is "tool"' }
  if (line.role !== "user") return undefined
  const types = listField(line, "content").map((part) => textField(part, "type"))
  if (types.length > 0 && types.every((type) => type === "tool_result")) {
    return { role: "tool", origin: "tool", why: 'its parts are "tool_result"' }
  }
  return authorByMark<MessageAuthor>(line, { role: "user", ...ofUser(line) })
}

function ofUser(line: JsonObject): Omit<MessageAuthor, "role"> {
  const text = plainText(partsOf(line))
  if (line.uiContent === COMPACTED) return { origin: "summary", why: `uiContent is "${COMPACTED}"` }
  if (text === INTERRUPTED) return { origin: "interrupt", why: `its text is "${INTERRUPTED}"` }
  if (SHELL.test(text)) return { origin: "shell", why: "its text begins with <bash-…>" }
  if (textField(objectField(line, "metadata"), "agentId") !== undefined)
    return { origin: "task", why: "metadata.agentId" }
  if (line.hidden === true) return { origin: "injection", why: "hidden is true" }
  if (visibleText(line) === "" && text !== "") return { origin: "injection", why: "all its parts are hidden" }
  const shown = textField(line, "uiContent")
  if (shown?.startsWith("/") === true) return { origin: "command", turn: true, why: "uiContent is a slash command" }
  return { origin: "prompt", why: 'role is "user", and nothing says otherwise' }
}

/** What Neovate shows of a message: hidden parts are only for the model. */
function visibleText(line: JsonObject): string {
  if (typeof line.content === "string") return line.content
  const shown = listField(line, "content").filter((part) => !(isObject(part) && part.hidden === true))
  if (shown.some((part) => textField(part, "type") === "image")) return textsOf(shown) || "[image]"
  return textsOf(shown)
}

function textsOf(parts: readonly Json[]): string {
  return parts.map((part) => (textField(part, "type") === "text" ? (textField(part, "text") ?? "") : "")).join("")
}

/** What the person typed, if the model got something else for it. */
export function displayOf(line: JsonObject): string | undefined {
  const shown = textField(line, "uiContent")
  if (shown !== undefined && shown !== "") return shown
  const hidden = listField(line, "content").some((part) => isObject(part) && part.hidden === true)
  return hidden ? visibleText(line) : undefined
}

export function partsOf(line: JsonObject): Part[] {
  if (typeof line.content === "string") return line.content === "" ? [] : [{ type: "text", text: line.content }]
  return listField(line, "content").map(partOf)
}

function partOf(value: Json): Part {
  const raw = isObject(value) ? value : { value }
  const [text, id, name] = [textField(raw, "text"), textField(raw, "id"), textField(raw, "name")]
  if (raw.type === "text" && text !== undefined) return { type: "text", text }
  if (raw.type === "reasoning" && text !== undefined) return { type: "reasoning", text }
  if (raw.type === "image" || raw.type === "file") return mediaOf(raw) ?? { type: "unknown", raw }
  if (raw.type === "tool_use" && id !== undefined && name !== undefined) {
    return { type: "tool-call", call: id, name, input: unwrappedInput(raw, raw.input ?? {}) }
  }
  if (raw.type === "tool-result") return resultOf(raw, textField(raw, "toolCallId"), textField(raw, "toolName"))
  if (raw.type === "tool_result") return resultOf(raw, id, name)
  return { type: "unknown", raw }
}

/** Its data is a URL or bare base64. */
function mediaOf(raw: JsonObject): Part | undefined {
  const [data, mimeType, name] = [textField(raw, "data"), textField(raw, "mimeType"), textField(raw, "filename")]
  if (data === undefined) return undefined
  const inUrl = readDataUrl(data)
  const mediaType = mimeType ?? inUrl?.mediaType
  if (mediaType === undefined) return undefined
  const bytes = inUrl?.data ?? data
  if (raw.type === "image") return { type: "image", mediaType, data: bytes }
  return { type: "file", mediaType, data: bytes, ...(name !== undefined && { name }) }
}

function resultOf(raw: JsonObject, call: string | undefined, name: string | undefined): Part {
  const result = objectField(raw, "result")
  const content = result?.llmContent
  const parts = Array.isArray(content) ? content.map(partOf) : []
  const media = parts.filter(({ type }) => type !== "text")
  return {
    type: "tool-result",
    call: call ?? "",
    ...(name !== undefined && { name }),
    output: typeof content === "string" ? content : plainText(parts),
    ...(result?.isError === true && { error: true as const }),
    ...(media.length > 0 && { media }),
  }
}

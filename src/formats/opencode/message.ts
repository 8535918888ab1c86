// Who said what in an opencode session, and its parts as ours.
import type { JsonObject } from "../../model/json.ts"
import { isObject } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"
import { readDataUrl } from "../shared/data-url.ts"
import { listField, numberField, objectField, textField } from "../shared/json-line.ts"
import type { MessageAuthor } from "../shared/message-author.ts"

/** The text for a command that the person ran, which opencode writes in their name. */
const RAN = "The following tool was executed by the user"

/** For a user message. */
export function authorOf(parts: readonly JsonObject[], task: boolean): Pick<MessageAuthor, "origin" | "why"> {
  const texts = parts.filter(({ type }) => type === "text")
  const typed = parts.filter((part) => part.type !== "text" || (part.synthetic !== true && part.ignored !== true))
  if (parts.some(({ type }) => type === "subtask")) return { origin: "command", why: "it has a subtask" }
  if (texts.some(({ text, synthetic }) => synthetic === true && text === RAN)) {
    return { origin: "shell", why: "it is synthetic and says that the user ran a tool" }
  }
  if (typed.length === 0) return { origin: "injection", why: "all its parts are synthetic" }
  if (task) return { origin: "task", why: "the session has a parent" }
  return { origin: "prompt", why: "it has a part that is not synthetic" }
}

/** What the person typed, if opencode added something to it. */
export function displayOf(parts: readonly JsonObject[]): string | undefined {
  if (!parts.some(({ type, synthetic, ignored }) => type === "text" && (synthetic === true || ignored === true))) {
    return undefined
  }
  const typed = parts.filter(
    ({ type, synthetic, ignored }) => type === "text" && synthetic !== true && ignored !== true,
  )
  return typed.map((part) => textField(part, "text") ?? "").join("\n")
}

/** The parts of a user message as the model gets them. Text files and folders are in texts that opencode adds. */
export function userParts(parts: readonly JsonObject[]): Part[] {
  return parts.flatMap((part): Part[] => {
    const text = textField(part, "text")
    if (part.type === "text")
      return text === undefined || text === "" || part.ignored === true ? [] : [{ type: "text", text }]
    if (part.type === "file") return sentFile(part)
    if (part.type === "subtask") return [{ type: "text", text: RAN }]
    return [{ type: "unknown", raw: part }]
  })
}

function sentFile(part: JsonObject): Part[] {
  const mime = textField(part, "mime")
  return mime === "text/plain" || mime === "application/x-directory" ? [] : [fileOf(part)]
}

function fileOf(part: JsonObject): Part {
  const [mime, url, name] = [textField(part, "mime"), textField(part, "url") ?? "", textField(part, "filename")]
  const read = readDataUrl(url)
  if (read === undefined) return { type: "unknown", raw: part }
  const mediaType = mime ?? read.mediaType
  if (mediaType.startsWith("image/")) return { type: "image", mediaType, data: read.data }
  return { type: "file", mediaType, data: read.data, ...(name !== undefined && { name }) }
}

/** For one step of an answer. */
export function answerParts(parts: readonly JsonObject[]): Part[] {
  return parts.flatMap((part): Part[] => {
    const text = textField(part, "text")
    if (part.type === "reasoning" && text !== undefined) return [{ type: "reasoning", text }]
    if (part.type === "text" && text !== undefined) return [{ type: "text", text }]
    if (part.type !== "tool") return []
    const input = objectField(part, "state")?.input
    return [{ type: "tool-call", call: callIn(part), name: textField(part, "tool") ?? "", input: input ?? {} }]
  })
}

const CLEARED = "[Old tool result content cleared]"
const INTERRUPTED = "[Tool execution was interrupted]"

/** The results of a step's calls. */
export function resultParts(parts: readonly JsonObject[]): Part[] {
  return parts.map((part): Part => {
    const state = objectField(part, "state")
    const base = { type: "tool-result" as const, call: callIn(part), name: textField(part, "tool") ?? "" }
    if (state?.status === "error") return { ...base, output: textField(state, "error") ?? "", error: true }
    if (state?.status !== "completed") return { ...base, output: INTERRUPTED, error: true }
    if (numberField(objectField(state, "time"), "compacted") !== undefined) return { ...base, output: CLEARED }
    const media = listField(state, "attachments").filter(isObject).map(fileOf)
    return { ...base, output: textField(state, "output") ?? "", ...(media.length > 0 && { media }) }
  })
}

function callIn(part: JsonObject): string {
  return textField(part, "callID") ?? textField(part, "id") ?? ""
}

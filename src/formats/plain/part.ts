// One content part of an OpenAI or Anthropic message as one of ours. What has no equivalent is kept as it is.
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import { type Part, parsePart } from "../../model/record/record.ts"

/** The content of a message: nothing, a string, or a list of parts. Undefined if it is something else. */
export function readContent(content: Json | undefined): Part[] | undefined {
  if (content === undefined || content === null || content === "") return []
  if (typeof content === "string") return [{ type: "text", text: content }]
  if (isObject(content)) return [readPart(content)]
  return Array.isArray(content) ? content.map(readPart) : undefined
}

function readPart(value: Json): Part {
  if (typeof value === "string") return { type: "text", text: value }
  if (!isObject(value)) return parsePart(value)
  return BY_TYPE.get(typeof value.type === "string" ? value.type : "")?.(value) ?? parsePart(value)
}

type Reader = (value: JsonObject) => Part | undefined

const textOf =
  (field: string): Reader =>
  (value) => {
    const text = value[field]
    return typeof text === "string" ? { type: "text", text } : undefined
  }

const BY_TYPE = new Map<string, Reader>([
  ["input_text", textOf("text")],
  ["output_text", textOf("text")],
  ["refusal", textOf("refusal")],
  ["image_url", (value) => imageFromUrl(isObject(value.image_url) ? value.image_url.url : value.image_url)],
  ["input_image", (value) => imageFromUrl(value.image_url)],
  ["image", (value) => (isObject(value.source) ? media("image", value.source, undefined) : undefined)],
  ["document", (value) => (isObject(value.source) ? media("file", value.source, value.title) : undefined)],
  ["file", (value) => (isObject(value.file) ? fileFromUrl(value.file) : undefined)],
  ["thinking", readThinking],
  ["tool_use", readToolUse],
  ["tool_result", readToolResult],
  // A part that retcon itself did not understand, as its JSON export shows it.
  ["unknown", (value) => (isObject(value.raw) ? { type: "unknown", raw: value.raw } : undefined)],
])

const DATA_URL = /^data:([^;,]+)(?:;[^;,]+)*;base64,([A-Za-z0-9+/=_-]+)$/

function imageFromUrl(url: Json | undefined): Part | undefined {
  const [, mediaType, data] = (typeof url === "string" && DATA_URL.exec(url)) || []
  return mediaType === undefined || data === undefined ? undefined : { type: "image", mediaType, data }
}

function fileFromUrl(file: JsonObject): Part | undefined {
  const [, mediaType, data] = (typeof file.file_data === "string" && DATA_URL.exec(file.file_data)) || []
  if (mediaType === undefined || data === undefined) return undefined
  const part: Part = { type: "file", mediaType, data }
  return typeof file.filename === "string" ? { ...part, name: file.filename } : part
}

/** Anthropic: `{type: "base64", media_type, data}`. A link is not followed: the part is kept as it is. */
function media(type: "image" | "file", source: JsonObject, name: Json | undefined): Part | undefined {
  if (source.type !== "base64" || typeof source.media_type !== "string" || typeof source.data !== "string") {
    return undefined
  }
  const part = { type, mediaType: source.media_type, data: source.data }
  return typeof name === "string" ? { ...part, name } : part
}

function readThinking(value: JsonObject): Part | undefined {
  if (typeof value.thinking !== "string") return undefined
  const part: Part = { type: "reasoning", text: value.thinking }
  return typeof value.signature === "string" ? { ...part, meta: { signature: value.signature } } : part
}

function readToolUse(value: JsonObject): Part | undefined {
  if (typeof value.id !== "string" || typeof value.name !== "string") return undefined
  return { type: "tool-call", call: value.id, name: value.name, input: value.input ?? {} }
}

function readToolResult(value: JsonObject): Part | undefined {
  if (typeof value.tool_use_id !== "string") return undefined
  const part = toolResult(value.tool_use_id, readContent(value.content) ?? [parsePart(value.content ?? null)])
  return value.is_error === true ? { ...part, error: true } : part
}

/** The texts of a result become its output; everything else becomes its media. */
export function toolResult(call: string, content: readonly Part[], name?: string): Part & { type: "tool-result" } {
  const output = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  const media = content.filter((part) => part.type !== "text")
  return {
    type: "tool-result",
    call,
    output,
    ...(name === undefined ? {} : { name }),
    ...(media.length > 0 ? { media } : {}),
  }
}

/** OpenAI: `{id, function: {name, arguments}}`, where the arguments are a JSON string that a model may get wrong. */
export function readToolCall(value: Json, fallback: string): Part | undefined {
  if (!isObject(value)) return undefined
  const made = [value.function, value.custom, value].find(isObject)
  if (made === undefined || typeof made.name !== "string") return undefined
  const given = made.arguments ?? made.input ?? {}
  const parsed = typeof given === "string" ? parseJson(given === "" ? "{}" : given) : undefined
  const input = parsed?.ok === true ? parsed.value : given
  return { type: "tool-call", call: typeof value.id === "string" ? value.id : fallback, name: made.name, input }
}

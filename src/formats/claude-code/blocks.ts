// Our parts as blocks of a Claude Code message, which are those of the Anthropic API.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { Part, ToolResultPart } from "../../model/record/record.ts"

/** The content of a user line: a string for a single text, blocks for anything else. */
export function contentOf(parts: readonly Part[]): Json {
  const [first] = parts
  return parts.length === 1 && first?.type === "text" ? first.text : blocksOf(parts, (call) => call)
}

/** `nameOf`: the call's id there. Contract: takes no results, which have their own lines, and no unknown parts. */
export function blocksOf(parts: readonly Part[], nameOf: (call: string) => string): JsonObject[] {
  return parts.map((part) => blockOf(part, nameOf)).filter((block) => block !== undefined)
}

function blockOf(part: Part, nameOf: (call: string) => string): JsonObject | undefined {
  if (part.type === "text") return { type: "text", text: part.text }
  if (part.type === "image") {
    return { type: "image", source: { type: "base64", media_type: part.mediaType, data: part.data } }
  }
  if (part.type === "reasoning") {
    return { type: "thinking", thinking: part.text, signature: part.meta?.signature ?? "" }
  }
  if (part.type !== "tool-call") return undefined
  // The provider accepts only objects. The line's own mark records that it was wrapped.
  const input = isObject(part.input) ? part.input : { input: part.input }
  return { type: "tool_use", id: nameOf(part.call), name: part.name.replaceAll(/[^A-Za-z0-9_-]/g, "_"), input }
}

export function resultBlock(part: ToolResultPart, call: string): JsonObject {
  const media = blocksOf(part.media ?? [], (name) => name)
  const text = part.output === "" ? [] : [{ type: "text", text: part.output }]
  return {
    tool_use_id: call,
    type: "tool_result",
    content: media.length === 0 ? part.output : [...text, ...media],
    ...(part.error === true && { is_error: true }),
  }
}

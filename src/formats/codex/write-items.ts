// Writes the steps of a conversation as items of Codex's history.
import type { JsonObject } from "../../model/json.ts"
import type { Part, ToolResultPart } from "../../model/record/record.ts"
import { objectField, textField } from "../shared/json-line.ts"

/** The calls whose input is plain text; their results have another type too. */
export type CustomCalls = Set<string>

export function userItem(content: readonly Part[], typed: boolean): JsonObject {
  const parts = content.flatMap(inputOf)
  const kind = (part: JsonObject) =>
    typed ? (part.type === "input_image" ? "user.image" : "user.text") : "retcon.said"
  const provenance = typed ? { type: "user" } : { type: "harness", hook: false }
  return {
    type: "message",
    role: "user",
    content: parts,
    internal_chat_message_metadata_passthrough: {
      content_item_kinds: parts.map(kind),
      content_item_metadata: parts.map(() => ({ provenance })),
    },
  }
}

/** Includes reasoning only if it is sealed by the provider, which refuses it otherwise. */
export function answerItems(content: readonly Part[], custom: CustomCalls): JsonObject[] {
  return content.flatMap((part): JsonObject[] => {
    if (part.type === "text") {
      return [{ type: "message", role: "assistant", content: [{ type: "output_text", text: part.text }] }]
    }
    if (part.type === "reasoning")
      return sealOf(part) === undefined ? [] : [reasoningItem(part.text, sealOf(part) as string)]
    if (part.type !== "tool-call") return []
    const { call, name, input } = part
    if (typeof input !== "string") {
      return [{ type: "function_call", name, arguments: JSON.stringify(input), call_id: call }]
    }
    custom.add(call)
    return [{ type: "custom_tool_call", name, input, call_id: call }]
  })
}

export function isSealed(part: Part): boolean {
  return sealOf(part) !== undefined
}

function sealOf(part: Part): string | undefined {
  if (part.type !== "reasoning" || part.meta?.by !== "codex") return undefined
  return textField(objectField(part.meta, "data"), "encrypted_content")
}

function reasoningItem(text: string, seal: string): JsonObject {
  const summary = text === "" ? [] : [{ type: "summary_text", text }]
  return { type: "reasoning", summary, content: null, encrypted_content: seal }
}

export function resultItem({ call, output, media = [] }: ToolResultPart, custom: CustomCalls): JsonObject {
  const images = media.flatMap(inputOf)
  return {
    type: custom.has(call) ? "custom_tool_call_output" : "function_call_output",
    call_id: call,
    output: images.length === 0 ? output : [{ type: "input_text", text: output }, ...images],
  }
}

/** A compaction's replacement may have messages of any role. */
export function messageItems(role: string, content: readonly Part[], custom: CustomCalls): JsonObject[] {
  if (role === "assistant") return answerItems(content, custom)
  const results = content.flatMap((part) => (part.type === "tool-result" ? [resultItem(part, custom)] : []))
  const rest = content.filter(({ type }) => type === "text" || type === "image")
  return rest.length === 0 ? results : [...results, userItem(rest, false)]
}

function inputOf(part: Part): JsonObject[] {
  if (part.type === "text") return [{ type: "input_text", text: part.text }]
  if (part.type !== "image") return []
  return [{ type: "input_image", image_url: `data:${part.mediaType};base64,${part.data}` }]
}

// Blocks of messages as the Anthropic API has them, which several agents store, as our parts.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"
import { objectField, textField } from "./json-line.ts"

export function partsOf(content: Json | undefined): Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  return Array.isArray(content) ? content.map(partOf) : []
}

function partOf(value: Json): Part {
  const raw = isObject(value) ? value : { value }
  return READERS[textField(raw, "type") ?? ""]?.(raw) ?? { type: "unknown", raw }
}

const READERS: Readonly<Record<string, (raw: JsonObject) => Part | undefined>> = {
  text(raw) {
    return typeof raw.text === "string" ? { type: "text", text: raw.text } : undefined
  },
  thinking(raw) {
    const [text, signature] = [textField(raw, "thinking"), textField(raw, "signature")]
    if (text === undefined) return undefined
    // No provider is named: the reasoning is bound to what came before it there, so no request of ours may contain it.
    return { type: "reasoning", text, ...(signature !== undefined && { meta: { signature } }) }
  },
  tool_use(raw) {
    const [call, name] = [textField(raw, "id"), textField(raw, "name")]
    return call === undefined || name === undefined
      ? undefined
      : { type: "tool-call", call, name, input: raw.input ?? {} }
  },
  tool_result: resultOf,
  image: mediaOf,
  document: mediaOf,
}

function mediaOf(raw: JsonObject): Part | undefined {
  const source = objectField(raw, "source")
  const [mediaType, data] = [textField(source, "media_type"), textField(source, "data")]
  if (mediaType === undefined || data === undefined) return undefined
  return source?.type === "base64" ? { type: raw.type === "image" ? "image" : "file", mediaType, data } : undefined
}

function resultOf(raw: JsonObject): Part | undefined {
  const call = textField(raw, "tool_use_id")
  if (call === undefined) return undefined
  // Not recursive: a result contains no results, whatever the file says.
  const blocks = Array.isArray(raw.content) ? raw.content : [raw.content ?? ""]
  const parts = blocks.map((block): Part => {
    if (typeof block === "string") return { type: "text", text: block }
    return isObject(block) && block.type === "tool_result" ? { type: "unknown", raw: block } : partOf(block)
  })
  const output = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  const media = parts.filter(({ type }) => type !== "text")
  return {
    type: "tool-result",
    call,
    output,
    ...(raw.is_error === true && { error: true as const }),
    ...(media.length > 0 && { media }),
  }
}

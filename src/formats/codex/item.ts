// Items of the model's history as our parts.
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"
import { readDataUrl } from "../shared/data-url.ts"
import { listField, textField } from "../shared/json-line.ts"
import { isCut } from "./sent.ts"

export function partsOf(item: JsonObject): Part[] {
  const type = textField(item, "type") ?? ""
  if (type === "message" || type === "agent_message") return contentOf(item.content)
  if (type === "reasoning") return [reasoningOf(item)]
  if (type.endsWith("_output")) return [resultOf(item)]
  return [callOf(item, type)]
}

function contentOf(content: Json | undefined): Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  return Array.isArray(content) ? content.map(contentPart) : []
}

function contentPart(value: Json): Part {
  const raw = isObject(value) ? value : { value }
  const text = textField(raw, "text")
  if (text !== undefined) return { type: "text", text }
  const image = readDataUrl(textField(raw, "image_url") ?? "")
  return image === undefined ? { type: "unknown", raw } : { type: "image", ...image }
}

/** What only the model's provider can read is kept as opaque data. */
function reasoningOf(item: JsonObject): Part {
  const texts = [...listField(item, "summary"), ...listField(item, "content")].map(
    (each) => textField(each, "text") ?? "",
  )
  const encrypted = textField(item, "encrypted_content")
  return {
    type: "reasoning",
    text: texts.join("\n\n"),
    ...(encrypted !== undefined && { meta: { by: "codex", data: { encrypted_content: encrypted } } }),
  }
}

function callOf(item: JsonObject, type: string): Part {
  const [call, name] = [textField(item, "call_id") ?? textField(item, "id"), textField(item, "name")]
  if (call === undefined) return { type: "unknown", raw: item }
  if (type === "function_call" && name !== undefined) {
    return { type: "tool-call", call, name, input: argumentsOf(textField(item, "arguments") ?? "") }
  }
  if (type === "custom_tool_call" && name !== undefined) {
    return { type: "tool-call", call, name, input: textField(item, "input") ?? "" }
  }
  if (type === "local_shell_call") return { type: "tool-call", call, name: "local_shell", input: item.action ?? {} }
  // A call that the provider runs itself has no result among the items.
  return { type: "unknown", raw: item }
}

function argumentsOf(text: string): Json {
  const parsed = parseJson(text)
  return parsed.ok ? parsed.value : text
}

function resultOf(item: JsonObject): Part {
  const content = isObject(item.output) ? item.output.content : item.output
  const parts = contentOf(content)
  const media = parts.filter(({ type }) => type !== "text")
  const output = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  return {
    type: "tool-result",
    call: textField(item, "call_id") ?? "",
    output,
    ...(isCut(output) && { cut: true as const }),
    ...(isObject(item.output) && item.output.success === false && { error: true as const }),
    ...(media.length > 0 && { media }),
  }
}

// Parts of Klaude Code messages as ours.
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"
import { readDataUrl } from "../shared/data-url.ts"
import { listField, textField } from "../shared/json-line.ts"

export function contentOf(data: JsonObject): Part[] {
  return listField(data, "parts").map(partOf)
}

function partOf(value: Json): Part {
  const raw = isObject(value) ? value : { value }
  const text = textField(raw, "text")
  switch (textField(raw, "type") ?? "") {
    case "text":
      return text === undefined ? { type: "unknown", raw } : { type: "text", text }
    case "thinking_text":
      return text === undefined ? { type: "unknown", raw } : { type: "reasoning", text }
    case "thinking_signature":
      return { type: "reasoning", text: "", meta: raw }
    case "tool_call":
      return callOf(raw)
    case "image_url":
      return imageOf(raw)
    default:
      return { type: "unknown", raw }
  }
}

function callOf(raw: JsonObject): Part {
  const [call, name, args] = [textField(raw, "call_id"), textField(raw, "tool_name"), textField(raw, "arguments_json")]
  if (call === undefined || name === undefined) return { type: "unknown", raw }
  const input = parseJson(args ?? "{}")
  return { type: "tool-call", call, name, input: input.ok ? input.value : (args ?? "") }
}

function imageOf(raw: JsonObject): Part {
  const found = readDataUrl(textField(raw, "url") ?? "")
  return found?.mediaType.startsWith("image/") === true ? { type: "image", ...found } : { type: "unknown", raw }
}

export function resultOf(data: JsonObject): Part {
  const media = contentOf(data)
  const name = textField(data, "tool_name")
  return {
    type: "tool-result",
    call: textField(data, "call_id") ?? "",
    ...(name !== undefined && { name }),
    output: textField(data, "output_text") ?? "",
    ...(data.status !== "success" && { error: true as const }),
    ...(media.length > 0 && { media }),
  }
}

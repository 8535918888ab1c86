// Reads parts of messages as Gemini CLI and its descendants write them.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"
import { listField, objectField, textField } from "./json-line.ts"
import { unwrappedInput } from "./step-parts.ts"

/** Images that follow a result belong to it. */
export function resultsIn(content: readonly Json[]): Part[] {
  const found: Part[] = []
  for (const value of content) {
    const part = partOf(value)
    const last = found.at(-1)
    if ((part.type === "image" || part.type === "file") && last?.type === "tool-result") {
      found[found.length - 1] = { ...last, media: [...(last.media ?? []), part] }
    } else found.push(part)
  }
  return found
}

/** A string, one part, or a list of both. */
export function partList(content: Json | undefined): Json[] {
  if (content === undefined || content === null || content === "") return []
  return Array.isArray(content) ? content : [content]
}

export function partOf(value: Json): Part {
  if (typeof value === "string") return { type: "text", text: value }
  const raw = isObject(value) ? value : { value }
  const text = textField(raw, "text")
  if (raw.thought === true && text !== undefined) return { type: "reasoning", text }
  const [call, response] = [objectField(raw, "functionCall"), objectField(raw, "functionResponse")]
  if (call !== undefined) return callOf(call)
  if (response !== undefined) return resultOf(response)
  const inline = objectField(raw, "inlineData")
  const [mediaType, data] = [textField(inline, "mimeType"), textField(inline, "data")]
  if (mediaType !== undefined && data !== undefined) {
    return { type: mediaType.startsWith("image/") ? "image" : "file", mediaType, data }
  }
  return text === undefined ? { type: "unknown", raw } : { type: "text", text }
}

export function callOf(value: Json): Part {
  const name = textField(value, "name") ?? ""
  const input = unwrappedInput(value, objectField(value, "args") ?? {})
  return { type: "tool-call", call: textField(value, "id") ?? name, name, input }
}

function resultOf(response: JsonObject): Part {
  const name = textField(response, "name") ?? ""
  const body = objectField(response, "response")
  const [output, error] = [body?.output, body?.error]
  const media = listField(response, "parts").map(partOf)
  return {
    type: "tool-result",
    call: textField(response, "id") ?? name,
    name,
    output: outputText(output ?? error ?? body),
    ...(output === undefined && error !== undefined && { error: true as const }),
    ...(media.length > 0 && { media }),
  }
}

function outputText(output: Json | undefined): string {
  if (output === undefined || output === null) return ""
  return typeof output === "string" ? output : jsonText(output)
}

/** A value as text; empty for one that is nested too deeply to print. */
export function jsonText(value: Json): string {
  try {
    return JSON.stringify(value)
  } catch {
    return ""
  }
}

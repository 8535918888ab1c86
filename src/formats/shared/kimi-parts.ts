// Reads parts of messages as Kimi CLI and Kimi Code write them.
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"
import { readDataUrl } from "./data-url.ts"
import { objectField, textField } from "./json-line.ts"

/** Reads the bytes of a large part from a separate file, by hash. */
export type ReadBlob = (hash: string) => Buffer | undefined

export function contentOf(content: Json | undefined, blob: ReadBlob): Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  return Array.isArray(content) ? content.map((part) => partOf(part, blob)) : []
}

export function partOf(value: Json | undefined, blob: ReadBlob): Part {
  const raw = isObject(value) ? value : { value: value ?? null }
  const [text, think, encrypted] = [textField(raw, "text"), textField(raw, "think"), textField(raw, "encrypted")]
  if (raw.type === "text" && text !== undefined) return { type: "text", text }
  if (raw.type === "think" && think !== undefined) {
    return { type: "reasoning", text: think, ...(encrypted !== undefined && { meta: { encrypted } }) }
  }
  const media = textField(raw, "type")?.endsWith("_url") === true ? mediaIn(raw, blob) : undefined
  return media ?? { type: "unknown", raw }
}

/** Whether the part is empty. The program leaves out answers with only such parts. */
export function saysNothing(part: Part): boolean {
  return (part.type === "text" || part.type === "reasoning") && part.meta === undefined && part.text.trim() === ""
}

/** Kimi Code and Kimi CLI spell them differently. */
const HOLDERS = ["imageUrl", "videoUrl", "audioUrl", "image_url", "video_url", "audio_url"]

const BLOB = /^blobref:([^;]*);([0-9a-f]{64})$/

function mediaIn(raw: JsonObject, blob: ReadBlob): Part | undefined {
  const holder = HOLDERS.map((field) => objectField(raw, field)).find((found) => found !== undefined)
  const url = textField(holder, "url") ?? ""
  const [, mediaType, hash] = BLOB.exec(url) ?? []
  const bytes = hash === undefined ? undefined : blob(hash)
  const found = bytes === undefined ? readDataUrl(url) : { mediaType: mediaType ?? "", data: bytes.toString("base64") }
  if (found === undefined) return undefined
  return found.mediaType.startsWith("image/") ? { type: "image", ...found } : { type: "file", ...found }
}

/** A call in a message. Its arguments are JSON inside a string. */
export function callOf(value: Json): Part {
  const raw = isObject(value) ? value : { value }
  const [call, fn] = [textField(raw, "id"), objectField(raw, "function") ?? raw]
  const name = textField(fn, "name")
  if (call === undefined || name === undefined) return { type: "unknown", raw }
  const args = textField(fn, "arguments")
  const parsed = parseJson(args ?? "{}")
  return { type: "tool-call", call, name, input: parsed.ok ? parsed.value : (args ?? "") }
}

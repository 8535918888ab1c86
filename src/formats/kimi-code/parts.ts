// Parts of messages of Kimi Code as ours.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { Part } from "../../model/record/part.ts"
import { readDataUrl } from "../shared/data-url.ts"
import { numberField, objectField, textField } from "../shared/json-line.ts"

/** The bytes of a large part that stand in a file of their own, by its hash. */
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

/** The program leaves out an answer that has only such parts. */
export function saysNothing(part: Part): boolean {
  return (part.type === "text" || part.type === "reasoning") && part.meta === undefined && part.text.trim() === ""
}

const BLOB = /^blobref:([^;]*);([0-9a-f]{64})$/

function mediaIn(raw: JsonObject, blob: ReadBlob): Part | undefined {
  const holder = objectField(raw, "imageUrl") ?? objectField(raw, "videoUrl") ?? objectField(raw, "audioUrl")
  const url = textField(holder, "url") ?? ""
  const [, mediaType, hash] = BLOB.exec(url) ?? []
  const bytes = hash === undefined ? undefined : blob(hash)
  const found = bytes === undefined ? readDataUrl(url) : { mediaType: mediaType ?? "", data: bytes.toString("base64") }
  if (found === undefined) return undefined
  return found.mediaType.startsWith("image/") ? { type: "image", ...found } : { type: "file", ...found }
}

/** A call as it stands in a message. Its arguments are JSON in a text. */
export function callOf(value: Json, parse: (text: string) => Json): Part {
  const raw = isObject(value) ? value : { value }
  const [call, fn] = [textField(raw, "id"), objectField(raw, "function") ?? raw]
  const name = textField(fn, "name")
  if (call === undefined || name === undefined) return { type: "unknown", raw }
  const args = textField(fn, "arguments")
  return { type: "tool-call", call, name, input: args === undefined ? {} : parse(args) }
}

/** `name`: of the tool, where that is known: the program tells the model how long some tools took. */
export function resultOf(
  call: string,
  name: string | undefined,
  result: { content: Json | undefined; isError: boolean; note: string | undefined; ms: number | undefined },
  blob: ReadBlob,
): Part {
  const parts = contentOf(result.content, blob)
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
  const media = parts.filter(({ type }) => type !== "text")
  if (result.ms !== undefined && name !== undefined && isTimed(name)) {
    texts.unshift(`Wall time: ${(result.ms / 1000).toFixed(3)} seconds`)
  }
  if (result.note !== undefined && result.note !== "") texts.push(result.note)
  return {
    type: "tool-result",
    call,
    ...(name !== undefined && { name }),
    output: texts.join("\n"),
    ...(result.isError && { error: true as const }),
    ...(media.length > 0 && { media }),
  }
}

const TIMED = new Set(["Agent", "AgentSwarm", "Bash", "FetchURL", "Glob", "Grep", "WebSearch"])

function isTimed(tool: string): boolean {
  return TIMED.has(tool) || tool.startsWith("mcp__")
}

/** The result of a loop event, or of a message, by the same fields. */
export function resultFields(
  raw: JsonObject | undefined,
  content: "output" | "content",
): Parameters<typeof resultOf>[2] {
  return {
    content: raw?.[content],
    isError: raw?.isError === true,
    note: textField(raw, "note"),
    ms: numberField(raw, "durationMs"),
  }
}

// The content of a message: a list of parts. A part of an unknown kind is kept as it is.
import { isObject, type Json, type JsonObject } from "../json.ts"

/** Where the content of a large part is: in the blob folder, named by its hash. */
export interface BlobRef {
  /** `sha256-` and 64 hex digits. */
  hash: string
  bytes: number
  /** Which field of the part was moved to the blob. */
  field: "text" | "data" | "output"
}

interface PartBase {
  /** Set in the log when the part is stored as a blob; the field it names is then absent there. */
  blob?: BlobRef
  /** Must be sent back to the provider with this part. Opaque to retcon. */
  meta?: JsonObject
}

/** A model's request to run a tool. */
export type ToolCallPart = PartBase & { type: "tool-call"; call: string; name: string; input: Json }

/** What a tool answered; `call` is the id of the tool call. */
export type ToolResultPart = PartBase & {
  type: "tool-result"
  call: string
  name?: string
  output: string
  /** In another agent's session: that agent may send only the beginning and the end of the output. */
  cut?: true
  error?: true
  media?: Part[]
}

export type Part =
  | (PartBase & { type: "text"; text: string })
  | (PartBase & { type: "image"; mediaType: string; data: string })
  | (PartBase & { type: "file"; mediaType: string; data: string; name?: string })
  | (PartBase & { type: "reasoning"; text: string })
  | ToolCallPart
  | ToolResultPart
  /** Written by a newer version, or by another agent. Kept as it is. */
  | { type: "unknown"; raw: JsonObject }

const listOrNone = (value: unknown) => value === undefined || Array.isArray(value)
const objectOrNone = (value: unknown) => value === undefined || isObject(value)
const text = (value: unknown): value is string => typeof value === "string"

type Shape = (value: JsonObject, has: (field: string) => boolean) => boolean

const SHAPES = new Map<string, Shape>([
  ["text", (_, has) => has("text")],
  ["reasoning", (_, has) => has("text")],
  ["image", (value, has) => text(value.mediaType) && has("data")],
  ["file", (value, has) => text(value.mediaType) && has("data")],
  ["tool-call", (value) => text(value.call) && text(value.name) && value.input !== undefined],
  ["tool-result", (value, has) => text(value.call) && has("output") && listOrNone(value.media)],
])

/** A part from a record. A known part with a wrong shape is kept as unknown, never dropped. */
export function parsePart(value: Json): Part {
  if (!isObject(value)) return { type: "unknown", raw: { value } }
  const moved = isObject(value.blob) ? value.blob.field : undefined
  const has = (field: string) => text(value[field]) || moved === field
  const shape = typeof value.type === "string" ? SHAPES.get(value.type) : undefined
  const fits = shape?.(value, has) === true && objectOrNone(value.meta) && objectOrNone(value.blob)
  if (!fits) return { type: "unknown", raw: value }
  return (Array.isArray(value.media) ? { ...value, media: value.media.map(parsePart) } : value) as unknown as Part
}

export function printPart(part: Part): JsonObject {
  if (part.type === "unknown") return part.raw
  if (part.type !== "tool-result" || part.media === undefined) return part as unknown as JsonObject
  return { ...part, media: part.media.map(printPart) } as unknown as JsonObject
}

/** The text of these parts that a person reads: no reasoning, no tool calls or results. */
export function plainText(parts: readonly Part[]): string {
  const texts: string[] = []
  for (const part of parts) if (part.type === "text" && part.text !== undefined) texts.push(part.text)
  return texts.join("\n")
}

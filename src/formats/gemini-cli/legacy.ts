// Turns a session of an older Gemini CLI, which is one JSON document, into lines as newer versions write them.
import { isObject, type JsonObject, parseJson } from "../../model/json.ts"
import { listField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { isHeader } from "./place.ts"

/** Larger documents are not read: they would have to be in memory as a whole. */
const MOST = 256 * 1024 * 1024

export function isDocument(path: string): boolean {
  return path.endsWith(".json")
}

/** Undefined if it is not such a document. */
export function readDocument(bytes: Buffer): JsonObject | undefined {
  const parsed = parseJson(bytes.toString("utf8"))
  return parsed.ok && isObject(parsed.value) && isHeader(parsed.value) ? parsed.value : undefined
}

export function documentLines(path: string): Buffer {
  const bytes = readHead(path, MOST)
  const document = readDocument(bytes)
  if (document === undefined) return bytes
  const { messages: _, ...header } = document
  return Buffer.from([header, ...listField(document, "messages")].map((line) => `${JSON.stringify(line)}\n`).join(""))
}

// A session in a file that `opencode export` wrote.
import { isObject, type JsonObject, parseJson } from "../../model/json.ts"
import { listField, objectField, textField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { partsIn } from "./answer-steps.ts"
import type { SessionLines } from "./session-lines.ts"

/** Larger files are not read: a whole file has to be in memory. */
const MOST = 512 * 1024 * 1024

/** The beginning of such a file. */
export function isExport(head: Buffer): boolean {
  return /^\s*\{\s*"info"\s*:\s*\{\s*"id"\s*:\s*"ses_/.test(head.toString("latin1", 0, 200))
}

export function readExport(path: string): SessionLines | undefined {
  const parsed = parseJson(readHead(path, MOST).toString("utf8"))
  const info = parsed.ok && isObject(parsed.value) ? objectField(parsed.value, "info") : undefined
  if (!parsed.ok || info === undefined || textField(info, "id") === undefined) return undefined
  return { info, messages: listField(parsed.value, "messages").filter(isObject).map(messageOf) }
}

function messageOf(message: JsonObject): { info: JsonObject; parts: JsonObject[] } {
  return { info: objectField(message, "info") ?? {}, parts: partsIn(message) }
}

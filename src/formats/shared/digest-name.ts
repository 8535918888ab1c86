// Names for prompts and calls of agents whose hooks get no ids: a digest of the hook's input, and its time. The session's file has
// the same text with a later time, so a reader can match them.
import { createHash } from "node:crypto"
import { isObject, type Json } from "../../model/json.ts"

/** Contract: the same for equal values, whatever the order of their fields. */
export function inputDigest(value: Json): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(value)))
    .digest("hex")
    .slice(0, 24)
}

/** `at`: when the hook ran. */
export function digestName(digest: string, at: string): string {
  return `${digest}@${at}`
}

/** Undefined for any other name. */
export function readDigestName(name: string): { digest: string; at: number } | undefined {
  const [digest = "", time = ""] = name.split("@")
  const at = Date.parse(time)
  return Number.isNaN(at) ? undefined : { digest, at }
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([key, each]) => [key, sorted(each)]))
}

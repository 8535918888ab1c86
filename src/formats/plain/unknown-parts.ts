// Parts that retcon keeps but does not understand, and where they are, to report them.
import { isObject, type JsonObject } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"

export interface UnknownPart {
  /** "message 3", "line 3" or "system". */
  at: string
  /** Its own type if it names one, otherwise what it is. */
  part: string
}

export function unknownParts(at: string, content: readonly Part[]): UnknownPart[] {
  return content.flatMap((part) => {
    if (part.type === "unknown") return [{ at, part: nameOf(part.raw) }]
    return part.type === "tool-result" ? unknownParts(at, part.media ?? []) : []
  })
}

const LONGEST_NAME = 40

function nameOf(raw: JsonObject): string {
  const { type, value } = raw
  if (typeof type === "string" && type !== "") return type.slice(0, LONGEST_NAME)
  if (!("value" in raw) || Object.keys(raw).length > 1) return "a part without a type"
  if (value === null) return "null"
  return Array.isArray(value) ? "a list" : isObject(value) ? "an object" : `a ${typeof value}`
}

// What retcon adds to lines that it writes in another agent's format, for facts that the format has no place for: a field that the
// agents ignore.
import type { JsonObject } from "../../model/json.ts"
import { type Origin, parseOrigin, type Role } from "../../model/record/origin.ts"
import type { Part } from "../../model/record/record.ts"
import { objectField, textField } from "./json-line.ts"

export interface RetconMark {
  origin?: Origin
  /** With origin `command`: it started a turn. */
  turn?: true
  /** What the person typed, if more was sent. */
  display?: string
  /** The call failed. */
  error?: true
}

export function retconMark(line: JsonObject): RetconMark {
  const mark = objectField(line, "retcon")
  if (mark === undefined) return {}
  const [origin, display] = [parseOrigin(mark.origin), textField(mark, "display")]
  return {
    ...(origin !== undefined && { origin }),
    ...(mark.turn === true && { turn: true as const }),
    ...(display !== undefined && { display }),
    ...(mark.error === true && { error: true as const }),
  }
}

interface KnownAuthor {
  role: Role
  origin: Origin
}

/** Who said it, according to the line's own mark if it has one. */
export function authorByMark<Value extends KnownAuthor>(
  line: JsonObject,
  said: Value | undefined,
): (Value & { turn?: true }) | undefined {
  const { origin, turn } = retconMark(line)
  if (said === undefined || said.role !== "user" || origin === undefined) return said
  return { ...said, origin, ...(turn === true && { turn }) }
}

/** Marks results as failed, for agents whose format cannot say so. */
export function withError(parts: Part[], line: JsonObject): Part[] {
  const { error } = retconMark(line)
  return error === true ? parts.map((part) => (part.type === "tool-result" ? { ...part, error } : part)) : parts
}

// What retcon adds to lines that it writes into another agent's format, where that has no place for it: a field that the
// agents do not look at.
import type { JsonObject } from "../../model/json.ts"
import { type Origin, parseOrigin, type Role } from "../../model/record/origin.ts"
import type { Part } from "../../model/record/part.ts"
import { objectField, textField } from "./json-line.ts"

export interface OwnMark {
  origin?: Origin
  /** With origin `command`: it started a turn. */
  turn?: true
  /** What the person typed, when more was sent. */
  display?: string
  /** The result says that the call has failed. */
  error?: true
}

export function ownMark(line: JsonObject): OwnMark {
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

interface Said {
  role: Role
  origin: Origin
}

/** Who said it: as the line's own mark says, where it has one. */
export function saidIn<Value extends Said>(
  line: JsonObject,
  said: Value | undefined,
): (Value & { turn?: true }) | undefined {
  const { origin, turn } = ownMark(line)
  if (said === undefined || said.role !== "user" || origin === undefined) return said
  return { ...said, origin, ...(turn === true && { turn }) }
}

/** Results as the mark says, where the agent has none of its own for a call that failed. */
export function withError(parts: Part[], line: JsonObject): Part[] {
  const { error } = ownMark(line)
  return error === true ? parts.map((part) => (part.type === "tool-result" ? { ...part, error } : part)) : parts
}

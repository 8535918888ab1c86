// The usage of an answer, for agents that differ only in the names of the counts.
import type { JsonObject } from "../../model/json.ts"
import type { Usage } from "../../model/record/record.ts"
import { numberField } from "./json-line.ts"

/** `names`: the agent's own name for each count. Undefined if it has no usage. */
export function usageIn(
  usage: JsonObject | undefined,
  names: Readonly<Record<keyof Usage, string>>,
): Usage | undefined {
  if (usage === undefined) return undefined
  const found: Usage = {}
  for (const count of ["input", "output", "cacheRead", "cacheWrite"] as const) {
    const value = numberField(usage, names[count])
    if (value !== undefined) found[count] = value
  }
  return found
}

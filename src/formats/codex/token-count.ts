// The usage of a Codex answer, from the event that follows it.
import type { JsonObject } from "../../model/json.ts"
import type { Usage } from "../../model/record/record.ts"
import { numberField, objectField } from "../shared/json-line.ts"

/** Undefined if the event is only about limits. Cached tokens are included in the input tokens. */
export function usageIn(event: JsonObject | undefined): Usage | undefined {
  const last = objectField(objectField(event, "info"), "last_token_usage")
  if (last === undefined) return undefined
  const count = (name: string) => numberField(last, name) ?? 0
  const [cacheRead, cacheWrite] = [count("cached_input_tokens"), count("cache_write_input_tokens")]
  const input = Math.max(0, count("input_tokens") - cacheRead - cacheWrite)
  return { input, output: count("output_tokens"), cacheRead, cacheWrite }
}

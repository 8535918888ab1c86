// What a workspace may configure before the person has trusted it: only restrictions. Pure.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"

/** `unknown`: the person has not been asked. Counts as untrusted. */
export type Trust = "trusted" | "untrusted" | "unknown"

export interface Filtered {
  /** What may be used. */
  used: JsonObject
  /** What was left out, and why, for a notice. */
  withheld: { key: string; because: "not-trusted" | "never-from-a-workspace" }[]
}

/** These can only forbid, so they are used at once. */
const NARROWING = new Set(["deny"])
/** A secret in a workspace is a leak, and an approval mode in it would widen consent with a commit. */
const NEVER = new Set(["keys", "apiKey", "apiKeys", "token", "trust", "mode"])

/** Contract: an unknown key is withheld until the workspace is trusted; new keys are safe by default. */
export function workspaceConfig(config: JsonObject, trust: Trust): Filtered {
  const filtered: Filtered = { used: {}, withheld: [] }
  for (const [key, value] of Object.entries(config)) {
    if (NEVER.has(key)) filtered.withheld.push({ key, because: "never-from-a-workspace" })
    else if (trust === "trusted" || NARROWING.has(key)) filtered.used[key] = withoutSecrets(value)
    else filtered.withheld.push({ key, because: "not-trusted" })
  }
  return filtered
}

/** At any depth, such as in the settings of one provider. */
function withoutSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !NEVER.has(key))
      .map(([key, inner]) => [key, withoutSecrets(inner)]),
  )
}

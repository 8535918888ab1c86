// Who put a message into a Kimi CLI session. Its lines do not say, but the program's own texts are known, and what a person typed
// is in the wire log beside it.
import type { JsonObject } from "../../model/json.ts"
import type { MessageAuthor } from "../shared/message-author.ts"
import { textsOf } from "./texts.ts"

export const COMPACTED = "<system>Previous context has been compacted. Here is the compaction output:</system>"

const OWN: readonly [RegExp, MessageAuthor["origin"]][] = [
  [/^<system>CHECKPOINT \d+<\/system>$/, "injection"],
  [/^<system>You just got a D-Mail from your future self/, "note"],
  [/^<system-reminder>/, "injection"],
  [/^<notification id="/, "notification"],
  [/^<system>(The user just ran `\/init`|The following background tasks are still active)/, "injection"],
]

export function isCompaction(line: JsonObject): boolean {
  return line.role === "user" && textsOf(line.content)[0] === COMPACTED
}

/** Undefined for a user message that the program did not write: only the wire log says what it is. */
export function programAuthor(line: JsonObject): MessageAuthor | undefined {
  if (line.role === "assistant") return { role: "assistant", origin: "agent", why: 'role is "assistant"' }
  if (line.role === "tool") return { role: "tool", origin: "tool", why: 'role is "tool"' }
  const text = textsOf(line.content)[0] ?? ""
  const known = OWN.find(([pattern]) => pattern.test(text))
  return known === undefined ? undefined : { role: "user", origin: known[1], why: `its text matches ${known[0]}` }
}

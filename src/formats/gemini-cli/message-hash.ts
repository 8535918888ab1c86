// Whether two versions of a message say the same. Gemini CLI repeats messages with other times, as a string or as parts, and with
// calls in one field or another. Only a real difference is worth a row.
import { createHash } from "node:crypto"
import type { JsonObject } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"
import { jsonText } from "../shared/gemini-parts.ts"
import { partsOf, resultsOf } from "./message.ts"

/** 32 bits of what a message says: its texts, calls, or results. Thoughts are left out: they are not always repeated. */
export function messageHash(message: JsonObject, as: "message" | "results"): number {
  const hash = createHash("sha256").update(as)
  let text = ""
  for (const part of as === "results" ? resultsOf(message) : partsOf(message)) {
    if (part.type === "text") text += part.text
    else if (part.type !== "reasoning") hash.update(`\n${spelled(part)}`)
  }
  return hash.update(`\n${text}`).digest().readUInt32BE(0)
}

function spelled(part: Part): string {
  if (part.type === "tool-call") return `call ${part.call} ${part.name} ${jsonText(part.input)}`
  if (part.type === "tool-result") return `result ${part.call} ${part.output} ${part.media?.length ?? 0}`
  return part.type === "image" || part.type === "file" ? `${part.mediaType} ${part.data}` : part.type
}

// What the model gets in place of the conversation before a compaction.
import type { Json } from "../../model/json.ts"
import { type CompactionRecord, type Part, parsePart } from "../../model/record/record.ts"
import { type ContextMessage, message, textPart } from "./message.ts"

export function compactionMessages(record: CompactionRecord): ContextMessage[] {
  if (record.as !== undefined) return record.as.map(({ role, content }) => message(role, content.map(parsedPart)))
  const intro = "<system>Previous context has been compacted. Here is the compaction output:</system>"
  const content = [textPart(intro), textPart(record.summary)]
  if (record.prompts.length > 0) {
    content.push(textPart("<system>What the user asked before, word for word, oldest first:</system>"))
    for (const prompt of record.prompts) content.push(textPart(prompt))
  }
  return [message("user", content)]
}

/** A log may contain anything where a part should be. */
function parsedPart(part: Part): Part {
  return parsePart(part as unknown as Json)
}

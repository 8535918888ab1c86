// About how many tokens a record adds to a context: texts are counted, media estimated at their usual cost.
import { type CountTokens, textTokens } from "../tokens.ts"
import { unreachable } from "../unreachable.ts"
import { isEntry, type LogRecord, type Part } from "./record.ts"
import { SYSTEM_KEY } from "./state-key.ts"

const PER_MESSAGE = 4
const PER_IMAGE = 1_500
const PER_FILE = 3_000

/** Reasoning does not count: it is sent back only if the provider requires it. */
export function recordTokens(record: LogRecord | undefined, count: CountTokens = textTokens): number {
  if (record === undefined || !isEntry(record)) return 0
  switch (record.type) {
    case "message":
      if (record.dropped === true) return 0
      return messageTokens(
        record.content.filter((part) => part.type !== "reasoning"),
        count,
      )
    case "note":
      return count([record.text, ...record.facts, ...(record.prompts ?? [])].join("\n"))
    case "compaction":
      return count(record.summary + record.prompts.join("\n"))
    case "merge":
      return count(record.text)
    case "state":
      return record.key === SYSTEM_KEY && typeof record.value === "string" ? count(record.value) : 0
    case "checkpoint":
    case "unknown-entry":
      return 0
    default:
      return unreachable(record)
  }
}

export function messageTokens(content: readonly Part[], count: CountTokens = textTokens): number {
  return content.reduce((sum, part) => sum + partTokens(part, count), PER_MESSAGE)
}

export function partTokens(part: Part, count: CountTokens = textTokens): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return count(part.text ?? "")
    case "tool-call":
      return PER_MESSAGE + count(part.name) + count(JSON.stringify(part.input))
    case "tool-result": {
      const media = (part.media ?? []).reduce((sum, item) => sum + partTokens(item, count), 0)
      return PER_MESSAGE + count(part.output ?? "") + media
    }
    case "image":
      return PER_IMAGE
    case "file":
      return PER_FILE
    case "unknown":
      return 0
    default:
      return unreachable(part)
  }
}

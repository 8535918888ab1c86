// How full the window is: what the provider last reported on this path, and an estimate of what came after.
import { contextRows } from "../history/context.ts"
import { type History, NONE, type Row } from "../history/tree.ts"
import type { LogRecord, Usage } from "../model/record.ts"
import { unreachable } from "../model/unreachable.ts"

export interface ContextSize {
  /** Reported with the last finished answer on the path; 0 when there is none since the last compaction. */
  used: number
  /** Estimated, of everything after it. */
  pending: number
}

/** `tokens` estimates a text. Contract: costs what the path since the last usage report costs. */
export function contextSize(history: History, head: Row, tokens: (text: string) => number): ContextSize {
  let pending = 0
  const compaction = history.compaction(head)
  for (let row = head; row !== NONE && row !== compaction; row = history.parent(row)) {
    const record = history.record(row)
    if (record === undefined) continue
    const used = reported(record)
    if (used !== undefined) return { used, pending }
    pending += tokens(textOf(record))
  }
  if (compaction !== NONE) {
    for (const row of [compaction, ...contextRows(history, compaction).kept]) {
      const record = history.record(row)
      if (record !== undefined) pending += tokens(textOf(record))
    }
  }
  return { used: 0, pending }
}

/** An aborted or failed answer does not say how large the context was. */
function reported(record: LogRecord): number | undefined {
  if (record.type !== "message" || record.role !== "assistant" || record.usage === undefined) return undefined
  if (record.stop === "aborted" || record.stop === "failed") return undefined
  return total(record.usage)
}

export function total(usage: Usage): number {
  return (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0) + (usage.output ?? 0)
}

function textOf(record: LogRecord): string {
  switch (record.type) {
    case "message":
      return record.content
        .map((part) => (part.type === "reasoning" || part.type === "image" ? "" : JSON.stringify(part)))
        .join("")
    case "note":
      return record.text + record.facts.join("\n")
    case "compaction":
      return record.summary + record.prompts.join("\n")
    case "merge":
      return record.text
    case "checkpoint":
    case "state":
    case "unknown-entry":
    case "session":
    case "operation":
    case "snapshot":
    case "label":
    case "config":
    case "unknown":
      return ""
    default:
      return unreachable(record)
  }
}

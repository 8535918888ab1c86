// What a person reads of an entry.

import { agentTitle } from "../agent-title.ts"
import { unreachable } from "../unreachable.ts"
import { plainText } from "./part.ts"
import { isEntry, type LogRecord, type UnknownEntry } from "./record.ts"

/** The words of an entry as they were written; undefined for a record that has none. Not sanitised. */
export function entryText(record: LogRecord): string | undefined {
  if (!isEntry(record)) return undefined
  switch (record.type) {
    case "message":
      return record.display ?? plainText(record.content)
    case "note":
    case "merge":
      return record.text
    case "compaction":
      return record.summary
    case "checkpoint":
    case "state":
    case "unknown-entry":
      return undefined
    default:
      return unreachable(record)
  }
}

/** What an entry is whose meaning is not known here. */
export function unknownEntryWords({ was, agent }: UnknownEntry): string {
  return agent === undefined ? `${was} (unknown to this version)` : `${was} (${agentTitle(agent)})`
}

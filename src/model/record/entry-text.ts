// The text of an entry, for a person to read.
import { agentTitle } from "../agent-title.ts"
import { unreachable } from "../unreachable.ts"
import { isEntry, type LogRecord, plainText, type UnknownEntry } from "./record.ts"

/** The text of an entry as it was written; undefined for a record without text. Not sanitised. */
export function entryText(record: LogRecord): string | undefined {
  if (!isEntry(record)) return undefined
  switch (record.type) {
    case "message":
      return record.display ?? plainText(record.content)
    case "note":
      return record.text
    case "merge":
      return typeof record.display === "string" ? record.display : record.text
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

/** Said of a message that is `dropped`. */
export const DROPPED_WORDS = "its agent no longer sends this to the model"

/** Said of a result that is `cut`. */
export const CUT_WORDS = "its agent may send only the beginning and the end of this result"

/** What to call an entry that this version does not understand. */
export function unknownEntryWords({ was, agent }: UnknownEntry): string {
  return agent === undefined ? `${was} (unknown to this version)` : `${was} (${agentTitle(agent)})`
}

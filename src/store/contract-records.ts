// Records for the contract suite, and how it reads a log back.
import type { EntryId, Ids, SessionId } from "../model/id.ts"
import type {
  ConfigRecord,
  LabelRecord,
  MessageRecord,
  OperationRecord,
  Part,
  SessionRecord,
} from "../model/record/record.ts"
import type { SessionLog } from "./port.ts"

const AT = "2026-01-01T00:00:00.000Z"

/** Creates the records that the suite appends. Contract: `ids` never creates an id that the store already has. */
export function recordMaker(ids: Ids) {
  return {
    header: (more: Partial<SessionRecord> = {}): SessionRecord => {
      const made = { name: "contract", version: "1" }
      return { id: ids.session(), type: "session", at: AT, reads: 1, writes: 1, cwd: "/project", made, ...more }
    },
    message: (parent: EntryId | null, content: string | Part[], more: Partial<MessageRecord> = {}): MessageRecord => {
      return {
        id: ids.entry(),
        type: "message",
        parent,
        role: "user",
        origin: "prompt",
        at: AT,
        content: typeof content === "string" ? [{ type: "text", text: content }] : content,
        ...more,
      }
    },
    goTo: (from: EntryId | null, to: EntryId | null): OperationRecord => {
      return { id: ids.record(), type: "operation", at: AT, kind: "goto", by: "person", head: { from, to } }
    },
    label: (entry: EntryId, name: string): LabelRecord => {
      return { id: ids.record(), type: "label", at: AT, entry, name }
    },
    config: (key: string, value: string | boolean): ConfigRecord => {
      return { id: ids.record(), type: "config", at: AT, key, value }
    },
    nowhere: (): SessionId => ids.session(),
  }
}

/** The ids of all rows, in order. */
export function idsIn(log: SessionLog): string[] {
  return Array.from({ length: log.history.size }, (_, row) => log.history.id(row))
}

/** The ids from the root to the head. */
export function pathOf(log: SessionLog): string[] {
  const ids: string[] = []
  for (let row = log.history.head; row < log.history.size; row = log.history.parent(row)) ids.push(log.history.id(row))
  return ids.reverse()
}

/** The lines of the log, in a form that can be compared. */
export function linesOf(log: SessionLog): string[] {
  return Array.from({ length: log.history.size }, (_, row) => Buffer.from(log.line(row)).toString("latin1"))
}

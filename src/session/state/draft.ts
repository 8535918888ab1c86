// What `append` takes: an entry without what the session adds (id, parent, time).
import type { EntryId } from "../../model/id.ts"
import type {
  CompactionRecord,
  Entry,
  MessageRecord,
  NoteRecord,
  Part,
  UnknownEntry,
} from "../../model/record/record.ts"

type Draft<Kind> = Kind extends Entry ? Omit<Kind, "id" | "parent" | "at"> & GivenId : never

interface GivenId {
  /** An id that the caller made, a UUID that is new in the session; otherwise the session makes one. */
  id?: EntryId
}

/** Neither a note nor a compaction: only a move leaves those. */
export type EntryDraft = Draft<Exclude<Entry, UnknownEntry | NoteRecord | CompactionRecord>>

/** What a person typed. */
export function promptDraft(text: string, more: Partial<MessageRecord> = {}): EntryDraft {
  return { type: "message", role: "user", origin: "prompt", content: textParts(text), ...more }
}

/** What the model answered. */
export function answerDraft(content: string | Part[], more: Partial<MessageRecord> = {}): EntryDraft {
  return { type: "message", role: "assistant", origin: "agent", content: textParts(content), ...more }
}

/** Results of tools, as one message. */
export function toolDraft(content: Part[], more: Partial<MessageRecord> = {}): EntryDraft {
  return { type: "message", role: "tool", origin: "tool", content, ...more }
}

function textParts(content: string | Part[]): Part[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content
}

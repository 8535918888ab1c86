// Tool calls that the head leaves without a result: a turn was stopped there, or its process died.
import { interruptedResult } from "../../history/context/tool-calls.ts"
import { entryId, type History, NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { EntryDraft } from "./draft.ts"

export interface OpenCall {
  call: string
  name: string
}

/** The calls that are open at an entry. */
export interface KnownCalls {
  at: EntryId | null
  calls: OpenCall[]
}

/** Costs the messages of one step, not the path. */
function openCallsAt(history: History, head: Row): OpenCall[] {
  const answered = new Set<string>()
  for (let row = head; row !== NONE; row = history.parent(row)) {
    const record = history.record(row)
    if (record?.type !== "message") continue
    if (record.role === "tool") {
      for (const part of record.content) if (part.type === "tool-result") answered.add(part.call)
    } else if (record.role === "assistant") {
      return record.content.flatMap((part) =>
        part.type === "tool-call" && !answered.has(part.call) ? [{ call: part.call, name: part.name }] : [],
      )
    } else return []
  }
  return []
}

/** The same, from what the session remembers of its last entry. */
export function openCallsOf(session: { history: History; openCalls: KnownCalls | undefined }, head: Row): OpenCall[] {
  const { history, openCalls: known } = session
  return known !== undefined && known.at === entryId(history, head) ? known.calls : openCallsAt(history, head)
}

/** The open calls after these drafts, given those before. */
export function openAfter(open: readonly OpenCall[], drafts: readonly EntryDraft[]): OpenCall[] {
  let now = [...open]
  for (const draft of drafts) {
    if (draft.type !== "message") continue
    if (draft.role === "tool") {
      now = now.filter((call) => !draft.content.some((part) => part.type === "tool-result" && part.call === call.call))
    } else if (draft.role === "assistant") {
      now = draft.content.flatMap((part) => (part.type === "tool-call" ? [{ call: part.call, name: part.name }] : []))
    } else now = []
  }
  return now
}

/** All open calls as one message, so that no provider refuses what follows. */
export function settlingDraft(open: readonly OpenCall[]): EntryDraft {
  return { type: "message", role: "tool", origin: "interrupt", content: open.map(interruptedResult) }
}

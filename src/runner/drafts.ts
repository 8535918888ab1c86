// What a person sent, as a draft of an entry.
import type { Origin } from "../model/record/origin.ts"
import type { Part } from "../model/record/record.ts"
import type { PromptInput } from "../protocol/host.ts"
import type { EntryDraft } from "../session/state/draft.ts"

export function inputDraft(input: PromptInput, origin: Origin): EntryDraft {
  const content: Part[] = [...(input.media ?? []), { type: "text", text: input.text }]
  const draft = { type: "message" as const, role: "user" as const, origin, content }
  return input.display === undefined ? draft : { ...draft, display: input.display }
}

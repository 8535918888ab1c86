// Conversations for views to show, in few words.
import type { EntryId } from "../../src/model/id.ts"
import type { Part } from "../../src/model/part.ts"
import { answerDraft, promptDraft, toolDraft } from "../../src/session/draft.ts"
import type { Session } from "../../src/session/session.ts"

/** A prompt and an answer. Answers the ids of both. */
export async function round(session: Session, prompt: string, answer = "Done."): Promise<[EntryId, EntryId]> {
  const ids = await session.append([promptDraft(prompt), answerDraft(answer)])
  return ids as [EntryId, EntryId]
}

/** One step: a call of a tool and its result. */
export async function step(session: Session, name: string, input: Record<string, string>, output: string, say = "") {
  const call = `call-${session.history.size}`
  const words: Part[] = say === "" ? [] : [{ type: "text", text: say }]
  await session.append([
    answerDraft([...words, { type: "tool-call", call, name, input }]),
    toolDraft([{ type: "tool-result", call, name, output }]),
  ])
}

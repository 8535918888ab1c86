// Conversations for views to show, in few words.
import type { EntryId } from "../../src/model/id.ts"
import type { Part } from "../../src/model/record/part.ts"
import type { Session } from "../../src/session/session.ts"
import { answerDraft, promptDraft, toolDraft } from "../../src/session/state/draft.ts"

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

/** A session that has everything a graph can show: a backtrack, a label, two branches that were left, a compaction. */
export async function eventful(session: Session, wait: (minutes: number) => void): Promise<void> {
  await session.append({ type: "state", key: "system", value: "You are a coding agent." })
  await round(session, "Read src/store and tell me how an append works, and when it fails", "One write per batch.")
  wait(12)
  await session.append([promptDraft("Rename parse to parseRecord"), { type: "checkpoint", n: 0 }])
  await step(session, "grep", { pattern: "parse" }, "src/a.ts:1\n".repeat(40), "Let me look.")
  await session.append({ type: "checkpoint", n: 1 })
  for (let i = 0; i < 3; i++) await step(session, "read", { path: `src/file-${i}.ts` }, "x\n".repeat(300))
  wait(3)
  await session.backtrack({ checkpoint: 1, note: "Only record-parse.ts uses it.", facts: ["src/a.ts is changed"] })
  await session.append(answerDraft("Renamed in one file."))
  wait(50)
  await round(session, "试试用正则表达式解析 🎉 看看会不会更快", "更慢。")
  await round(session, "And with a scanner?", "Twice as fast.")
  await session.label("head", "scanner")
  await session.back({ rounds: 2 })
  await round(session, "Write the tests", "14 tests.")
  await session.compact({
    summarise: () => "parse is parseRecord now; it has tests.",
    tokens: () => ({ before: 84_000, after: 6_100 }),
    limits: { tokens: (text) => text.length, keepRounds: 0, keepTokens: 0, promptTokens: 100 },
  })
  wait(60 * 26)
  await round(session, "Now run them", "All green.")
}

/** Text that tries to steer the terminal and to reorder itself. */
export const HOSTILE = "\u001b[31mred\u001b[0m \u001b]0;title\u0007\u009b2Jclear \u202edrowssap\u202c \u0008\u007fend"

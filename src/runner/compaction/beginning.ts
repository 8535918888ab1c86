// What precedes the conversation in every request: the system prompt, and the model and tools it is sent with. It is on
// the path, because providers bind their reasoning to it.
import { createHash } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { beginningAt } from "../../history/context/context.ts"
import type { SentWith } from "../../model/record/record.ts"
import { SYSTEM_KEY } from "../../model/record/state-key.ts"
import type { ToolSpec } from "../../provider/port/port.ts"
import type { EntryDraft } from "../../session/state/draft.ts"
import type { TurnConversation, TurnDeps } from "../port/turn-deps.ts"

type BeginningDeps = TurnConversation & Pick<TurnDeps, "systemPrompt">

/** The entry to append before the next request; undefined if the path already says all of it. */
export async function newBeginning(deps: BeginningDeps): Promise<EntryDraft | undefined> {
  const { session } = deps
  const recorded = beginningAt(session.history, session.headRow)
  const now = sentWith(deps)
  if (recorded !== undefined && isDeepStrictEqual(recorded.with, now)) return undefined
  // The system prompt depends on the tools, so it is rebuilt when they change.
  const stays = recorded !== undefined && (recorded.with === undefined || sameTools(recorded.with, now))
  const value = stays ? recorded.value : await deps.systemPrompt()
  return { type: "state", key: SYSTEM_KEY, value, with: now }
}

/** Whether a request made now begins as the path says: only then may it contain reasoning. */
export function beginsAsRecorded(deps: TurnConversation): boolean {
  return isDeepStrictEqual(beginningAt(deps.session.history, deps.session.headRow)?.with, sentWith(deps))
}

function sentWith({ model, tools, backtrack }: TurnConversation): SentWith {
  const digests = tools.map((tool) => ({ name: tool.name, digest: digestOf(tool) }))
  return { model: model.id, tools: digests, ...(backtrack ? { checkpoints: true as const } : {}) }
}

function sameTools(a: SentWith, b: SentWith): boolean {
  return a.checkpoints === b.checkpoints && isDeepStrictEqual(a.tools, b.tools)
}

function digestOf({ description, input }: ToolSpec): string {
  return createHash("sha256")
    .update(JSON.stringify([description, input]))
    .digest("hex")
    .slice(0, 16)
}

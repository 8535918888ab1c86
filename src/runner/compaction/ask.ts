// Asks the model about the whole conversation, for example for a summary. The request always fits the window.
import { createHash } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { callModel } from "../../agent/step/model-call.ts"
import { unbound } from "../../history/context/bound-to-provider.ts"
import { beginningAt } from "../../history/context/context.ts"
import type { ContextMessage } from "../../history/context/message.ts"
import type { SentWith, Usage } from "../../model/record/record.ts"
import { SYSTEM_KEY } from "../../model/record/state-key.ts"
import type { StepRequest, ToolSpec } from "../../provider/port/port.ts"
import { addUsage } from "../../provider/port/usage.ts"
import type { EntryDraft } from "../../session/state/draft.ts"
import type { TurnBudget, TurnConversation, TurnDeps } from "../port/turn-deps.ts"
import { contextSize } from "../window/context-size.ts"
import { pieces, transcript } from "../window/conversation-text.ts"
import { summaryText } from "./summary-request.ts"

export type AskDeps = TurnConversation & Pick<TurnBudget, "meter" | "tokens" | "windows">

/** `usage`: of all requests it took. */
export type AskResult = { ok: true; text: string; usage: Usage } | { ok: false; problem: string }
type Attempt = AskResult | "overflow"

/** The part of the window for an answer, and how many tokens are enough for one. */
const ANSWER_SHARE = 0.2
const ANSWER_TOKENS = 8_000
/** Anthropic counts an answer's limit against the window: above this size there is room enough. */
const ROOM_ENOUGH = 32_000
/** Shares of the window to try in turn, as long as the provider says that the request is too long. */
const SHARES = [0.7, 0.45, 0.25, 0.12]

const SYSTEM = "You read a conversation between a user and a coding agent, and do what is asked at the end of it."

/** Contract: never rejects. Sends the conversation as it is, unless it does not fit. */
export async function askAbout(deps: AskDeps, question: string, signal: AbortSignal): Promise<AskResult> {
  const whole = await askWhole(deps, question, signal)
  if (whole !== "overflow") return whole
  for (const share of SHARES) {
    const asked = await askInPieces(deps, question, share, signal)
    if (asked !== "overflow") return asked
  }
  return { ok: false, problem: `${deps.model.id} refuses even a small part of the conversation as too long.` }
}

/** One request with the same beginning as the last one, so that its prompt cache is used. */
async function askWhole(deps: AskDeps, question: string, signal: AbortSignal): Promise<Attempt> {
  const { session, model, tokens } = deps
  const size = contextSize(session.history, session.headRow, tokens, deps.tools)
  const sent = size.used + size.pending + tokens(question)
  const room = model.window === undefined ? undefined : model.window - sent
  if (room !== undefined && room < answerTokens(model.window)) return "overflow"
  const context = session.context()
  const messages = beginsAsRecorded(deps) ? context : context.map(withoutReasoning)
  const tools = deps.tools.map(({ name, description, input }) => ({ name, description, input }))
  const most = room !== undefined && room < ROOM_ENOUGH ? { maxOutputTokens: Math.floor(room * 0.9) } : {}
  return answered(deps, { messages: [...messages, user(question)], tools, signal, ...most }, sent)
}

function withoutReasoning(message: ContextMessage): ContextMessage {
  return message.role === "assistant" ? { role: message.role, content: unbound(message.content) } : message
}

/** The conversation as text in pieces, each with the summary of those before it. No tools, which leaves more room. */
async function askInPieces(deps: AskDeps, question: string, share: number, signal: AbortSignal): Promise<Attempt> {
  const { session, model, tokens } = deps
  const size = contextSize(session.history, session.headRow, tokens, deps.tools)
  const window = model.window ?? size.used + size.pending
  const answer = answerTokens(window)
  const most = Math.floor(window * share) - tokens(question) - answer
  if (most < answer / 4) return "overflow"
  const all = pieces(transcript(session.context()), most, tokens)
  let said = ""
  let usage: Usage = {}
  for (const [i, piece] of all.entries()) {
    const text = [partOf(i, all.length), `<conversation>\n${piece}\n</conversation>`, before(said), question]
    const messages = [
      { role: "system" as const, content: [{ type: "text" as const, text: SYSTEM }] },
      user(text.filter((each) => each !== "").join("\n\n")),
    ]
    const request = { messages, tools: [], signal, maxOutputTokens: answer }
    const asked = await answered(deps, request, tokens(piece) + tokens(question) + tokens(said) + answer)
    if (asked === "overflow" || !asked.ok) return asked
    said = asked.text
    usage = addUsage(usage, asked.usage)
  }
  return { ok: true, text: said, usage }
}

function partOf(i: number, of: number): string {
  const which = of === 1 ? "This is the conversation" : `This is part ${i + 1} of ${of} of the conversation`
  return `${which}, as text. Long outputs are shortened.`
}

function before(said: string): string {
  return said === "" ? "" : `What you wrote about the earlier parts, which your answer must include:\n\n${said}`
}

function answerTokens(window = Number.POSITIVE_INFINITY): number {
  return Math.min(ANSWER_TOKENS, Math.floor(window * ANSWER_SHARE))
}

async function answered(deps: AskDeps, request: StepRequest, sent: number): Promise<Attempt> {
  const result = await callModel(deps.model, request, () => undefined)
  if (result.outcome === "failed") {
    const { kind, message } = result.problem
    if (kind !== "overflow") return { ok: false, problem: message }
    deps.windows.refused(deps.model, sent, message)
    return "overflow"
  }
  deps.meter.add(result.usage, deps.model)
  const text = summaryText(result.content)
  if (text === "") return { ok: false, problem: "The model answered with an empty summary." }
  return { ok: true, text, usage: result.usage }
}

function user(text: string): ContextMessage {
  return { role: "user", content: [{ type: "text", text }] }
}

type BeginningDeps = TurnConversation & Pick<TurnDeps, "systemPrompt">

/**
 * What precedes the conversation in every request: the system prompt, and the model and tools it is sent with. It is on
 * the path, because providers bind their reasoning to it. The entry to append before the next request; undefined if the
 * path already says all of it.
 */
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
function beginsAsRecorded(deps: TurnConversation): boolean {
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

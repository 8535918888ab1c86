// What follows a step: another one, or the end of the turn.
import type { StepResult } from "../agent/step/step.ts"
import { hasMedia, leftOutIn, leftOutRows } from "../history/context/left-out.ts"
import { type History, path, type Row } from "../history/tree/tree.ts"
import type { Advice } from "../model/failure/failure.ts"
import { type EntryId, shortId } from "../model/id.ts"
import { isObject } from "../model/json.ts"
import type { MessageRecord } from "../model/record/record.ts"
import { TODOS_KEY } from "../model/record/state-key.ts"
import { count } from "../model/text/amounts.ts"
import type { Todo } from "../protocol/event.ts"
import type { FinishReason, ModelProblem } from "../provider/port/port.ts"
import { answerDraft, type EntryDraft, toolDraft } from "../session/state/draft.ts"
import { type BacktrackDeps, goBack } from "./backtrack/backtrack.ts"
import { type CompactDeps, compactNow } from "./compaction/compaction.ts"
import type { TurnPerson } from "./port/turn-deps.ts"
import type { Round, TurnOutcome } from "./round.ts"

type ConcludeDeps = BacktrackDeps & CompactDeps & Pick<TurnPerson, "steering">

/** An answer that ends for one of these reasons is incomplete, even if it looks complete. */
const CUT_SHORT: Partial<Record<FinishReason, { text: string; advice: Advice }>> = {
  length: {
    text: "The answer was cut off: it reached the model's output limit.",
    advice: "Ask it to continue.",
  },
  filter: {
    text: "The answer was cut off, because the provider refused to continue it.",
    advice: ["Go back with ", { do: "back" }, " and rephrase your prompt."],
  },
}

/** An answer without text or calls that a second try would not change: the person is told. */
const NOTHING_SAID: Partial<Record<FinishReason, { message: string; advice: Advice }>> = {
  length: {
    message: "The model spent its whole output limit on thinking and gave no answer.",
    advice: ["Ask for a smaller step, or have it think less: ", { do: "think", level: "low" }],
  },
  filter: {
    message: "The model's provider refused to answer this conversation.",
    advice: [
      "Go back before it with ",
      { do: "back" },
      " and rephrase your prompt, or choose another model with ",
      { do: "model" },
      ".",
    ],
  },
}

/** Thinking alone is sent to no provider: without this, the same request would be sent and paid for a second time. */
const ONLY_THOUGHT: EntryDraft = {
  type: "message",
  role: "user",
  origin: "injection",
  content: [{ type: "text", text: "<system>You thought, but gave no answer and called no tool. Do so now.</system>" }],
}

/** What follows a step: another one (undefined), or the end of the turn. */
export async function conclude(deps: ConcludeDeps, round: Round, result: StepResult): Promise<TurnOutcome | undefined> {
  const { prompt: entry } = round
  switch (result.outcome) {
    case "ended": {
      const cut = CUT_SHORT[result.reason]
      if (cut !== undefined) deps.emit({ type: "notice", level: "warning", ...cut })
      if (deps.steering.waiting) return undefined
      const text = result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
      return { outcome: "done", entry, text }
    }
    case "empty": {
      const told = NOTHING_SAID[result.reason]
      if (told !== undefined) return { outcome: "failed", entry, ...told }
      const thought = result.content.length > 0
      if (++round.emptyAnswers < 2) {
        if (thought) await round.turn.append(ONLY_THOUGHT)
        return undefined
      }
      const message = thought
        ? "The model only thought and gave no answer, twice."
        : "The model sent an empty answer, twice."
      return { outcome: "failed", entry, message, advice: SEND_AGAIN }
    }
    case "called":
      return afterCalls(deps, round, result)
    case "failed":
      return afterFailure(deps, round, result)
  }
}

function isTodo(value: unknown): value is Todo {
  if (!isObject(value) || typeof value.text !== "string") return false
  return value.status === "pending" || value.status === "doing" || value.status === "done"
}

async function afterCalls(
  deps: BacktrackDeps,
  round: Round,
  result: Extract<StepResult, { outcome: "called" }>,
): Promise<TurnOutcome | undefined> {
  const { prompt: entry } = round
  round.emptyAnswers = 0
  const states = Object.entries(result.state).map(([key, value]): EntryDraft => ({ type: "state", key, value }))
  const drafts = [toolDraft(result.results, result.interrupted ? { origin: "interrupt" } : {}), ...states]
  await round.turn.append(drafts, { durable: true })
  const todos: unknown = result.state[TODOS_KEY]
  if (Array.isArray(todos) && todos.every(isTodo)) deps.emit({ type: "todos", todos })
  if (result.interrupted) return { outcome: "stopped", entry, visible: true }
  if (result.repeating) {
    const advice: Advice = ["Say what it should do differently, or go back with ", { do: "back" }, "."]
    return { outcome: "failed", entry, message: "The model keeps repeating the same call.", advice }
  }
  if (result.backtrack !== undefined) await goBack(deps, result.backtrack)
  return undefined
}

/** No provider continues its own answer, so a user message must follow it. */
const GO_ON: EntryDraft = {
  type: "message",
  role: "user",
  origin: "injection",
  content: [
    { type: "text", text: "<system>Your answer was cut off, because the context was full. Continue.</system>" },
  ],
}

/**
 * What follows a failed step: a compaction and another step if that helps, otherwise the end of the turn, with advice.
 */
async function afterFailure(
  deps: CompactDeps,
  round: Round,
  result: Extract<StepResult, { outcome: "failed" }>,
): Promise<TurnOutcome | undefined> {
  const { problem, partial } = result
  const { prompt: entry } = round
  if (partial.length > 0) {
    const stop = problem.kind === "aborted" ? "aborted" : "failed"
    await round.turn.append(answerDraft(partial, { model: deps.model.id, stop }), { durable: true })
  }
  if (problem.kind === "aborted") return { outcome: "stopped", entry, visible: round.visible || partial.length > 0 }
  if (problem.kind === "overflow") {
    const end = await afterOverflow(deps, round, problem.message)
    if (end === undefined && partial.length > 0) await round.turn.append(GO_ON)
    return end
  }
  const refused = problem.kind === "invalid" && problem.status !== 404 ? await nameRefused(deps, problem) : undefined
  return { outcome: "failed", ...(refused ?? { message: problem.message, advice: adviceFor(problem) }), entry }
}

/** Remembers the entry with the session, because the next refusal may be about it again. */
async function nameRefused(
  { session, model }: CompactDeps,
  problem: ModelProblem,
): Promise<ReturnType<typeof refusedEntry>> {
  const before = session.config().get(REFUSED_KEY)
  const refused = refusedEntry(session.history, session.headRow, model.id, problem, before)
  if (refused !== undefined && refused.entry !== before) await session.configure(REFUSED_KEY, refused.entry)
  return refused
}

/** A compaction, then a harder one; the turn ends only when that does not help either. */
async function afterOverflow(deps: CompactDeps, round: Round, said: string): Promise<TurnOutcome | undefined> {
  const { prompt: entry } = round
  const size = round.size(deps.session.headRow)
  deps.windows.refused(deps.model, size.used + size.pending, said)
  for (; round.overflows < 2; ) {
    const hard = round.overflows++ > 0
    const compacted = await compactNow(deps, { cause: "overflow", hard }, round.signal)
    if (compacted.outcome === "compacted") return undefined
    if (round.signal.aborted) return { outcome: "stopped", entry, visible: round.visible }
    if (compacted.outcome === "nothing") continue
    const advice: Advice = [
      "Send the prompt again, go back a round with ",
      { do: "back" },
      ", or choose a model with a larger window with ",
      { do: "model" },
      ".",
    ]
    return {
      outcome: "failed",
      entry,
      message: `The conversation is too long for the model: ${compacted.problem}`,
      advice,
    }
  }
  const message = `The conversation is too long for the model, and nothing more can be left out: ${said}`
  return {
    outcome: "failed",
    entry,
    message,
    advice: ["Go back a round with ", { do: "back" }, ", or choose a model with a larger window: ", { do: "model" }],
  }
}

const SEND_AGAIN: Advice = ["Send the prompt again, or choose another model with ", { do: "model" }, "."]

function adviceFor({ kind, waitMs }: Extract<StepResult, { outcome: "failed" }>["problem"]): Advice {
  if (waitMs !== undefined) {
    const minutes = count(Math.ceil(waitMs / 60_000), "minute")
    return [
      `Send the prompt again in ${minutes}: the provider accepts nothing before. Or choose another model with `,
      { do: "model" },
      ".",
    ]
  }
  switch (kind) {
    case "auth":
      return ["Check the key in the environment, or choose another model with ", { do: "model" }, "."]
    case "rate-limit":
      return "Wait a little and send the prompt again."
    case "network":
    case "stalled":
      return "Check the connection and send the prompt again."
    case "overflow":
      return ["Go back a round with ", { do: "back" }, ", or compact."]
    case "invalid":
      return ["Go back before it with ", { do: "back" }, ", or choose another model with ", { do: "model" }, "."]
    case "server":
    case "aborted":
      return SEND_AGAIN
  }
}

const ABOUT_MEDIA = /image|media|picture|base64|pdf|document/i
/**
 * Which entry a provider means when it refuses a request. It accepted everything up to its last answer, so the refusal
 * is about something after that. The config key with the entry refused last: unanswered prompts are sent as one
 * message.
 */
const REFUSED_KEY = "refused"

/**
 * Message and advice for a request that was refused as it is; undefined if no entry can be named. `before`: the entry
 * that was named last time. If it would be sent again, it is the one.
 */
export function refusedEntry(
  history: History,
  head: Row,
  model: string,
  problem: ModelProblem,
  before?: unknown,
): { entry: EntryId; message: string; advice: Advice } | undefined {
  const records = path(history, head, history.compaction(head)).flatMap((row) => {
    const record = history.record(row)
    return record?.type === "message" ? [record] : []
  })
  const accepted = records.findLastIndex((record) => record.role === "assistant" && record.model === model)
  const leftOut = leftOutIn(history, leftOutRows(history, head, 0))
  const suspects = records
    .slice(accepted + 1)
    .filter(({ role, id }) => (role === "user" || role === "tool") && !leftOut.has(id))
  const shown = ABOUT_MEDIA.test(problem.message) ? suspects.filter(({ content }) => hasMedia(content)) : []
  const likely = shown.length > 0 ? shown : suspects
  const entry = likely.find(({ id }) => id === before) ?? likely.at(-1)
  if (entry === undefined) return undefined
  const id = shortId(entry.id)
  return {
    entry: entry.id,
    message: `${problem.message} It refuses ${nameOf(entry)} (entry ${id}) and would refuse the same conversation again.`,
    advice: [
      "Continue without it: ",
      { do: "omit", entry: id },
      ". Or go back before it: ",
      { do: "back" },
      ". Or choose another model: ",
      { do: "model" },
    ],
  }
}

function nameOf({ role, content }: MessageRecord): string {
  const what = hasMedia(content) ? "the image or file in " : ""
  if (role === "user") return `${what}your message`
  const names = content.flatMap((part) => (part.type === "tool-result" && part.name !== undefined ? [part.name] : []))
  return `${what}the result of ${[...new Set(names)].join(", ") || "a tool"}`
}

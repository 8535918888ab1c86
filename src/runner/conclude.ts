// What follows a step: another one, or the end of the turn.
import type { StepResult } from "../agent/step/step.ts"
import type { Advice } from "../model/failure/failure.ts"
import { isObject } from "../model/json.ts"
import { TODOS_KEY } from "../model/record/state-key.ts"
import type { Todo } from "../protocol/event.ts"
import type { FinishReason } from "../provider/port/port.ts"
import { type EntryDraft, toolDraft } from "../session/state/draft.ts"
import { afterFailure, SEND_AGAIN } from "./after-failure.ts"
import { type BacktrackDeps, goBack } from "./backtrack/backtrack.ts"
import type { CompactDeps } from "./compaction/compaction.ts"
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

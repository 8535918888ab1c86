// One turn: a prompt, then checkpoint and step until the model has nothing more to call. Everything is appended as it
// happens; once stopped, nothing is.
import { type StepResult, step } from "../agent/step/step.ts"
import { growingContext } from "../history/context/context.ts"
import type { ContextMessage } from "../history/context/message.ts"
import type { Row } from "../history/tree/tree.ts"
import type { Advice } from "../model/failure/advice.ts"
import { wordsFor } from "../model/failure/failure-words.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { EntryId } from "../model/id.ts"
import { SYSTEM_KEY } from "../model/record/record.ts"
import type { FinishReason } from "../provider/port/port.ts"
import { sentTokens, tokensOf } from "../provider/port/usage.ts"
import { answerDraft, type EntryDraft, toolDraft } from "../session/state/draft.ts"
import type { Turn } from "../session/state/turn.ts"
import { goBack } from "./backtrack.ts"
import { newBeginning } from "./beginning.ts"
import { compactNow, isWorthwhile } from "./compaction.ts"
import { type ContextSize, contextSizes } from "./context-size.ts"
import { inputDraft } from "./drafts.ts"
import { forHost } from "./host-event.ts"
import { makeOffer } from "./offer.ts"
import { refusedEntry } from "./refused-entry.ts"
import { giveAll } from "./steering.ts"
import { mustCompact, roomForResults } from "./threshold.ts"
import type { TurnDeps } from "./turn-deps.ts"

export type TurnOutcome =
  | { outcome: "done"; entry: EntryId; text: string }
  /** `visible`: something of an answer had been seen; if not, the prompt can be withdrawn. */
  | { outcome: "stopped"; entry: EntryId | null; visible: boolean }
  | { outcome: "failed"; entry: EntryId | null; message: string; advice: Advice }

/** What one turn carries from step to step. */
export interface Round {
  turn: Turn
  prompt: EntryId
  signal: AbortSignal
  visible: boolean
  /** What the model sees at a head of this turn: from step to step only what is new is made. */
  context: (head: Row) => ContextMessage[]
  /** How large that is, likewise. */
  size: (head: Row) => ContextSize
  /** What the next checkpoint says of going back. */
  offer: ReturnType<typeof makeOffer>
  /** A summary failed at the threshold: told once, and not tried again in this turn. */
  compactionFailed: boolean
  emptyAnswers: number
  /** Compactions in a row that were made because a provider refused what was sent as too long. */
  overflows: number
}

/** Contract: the lease is held while it runs. Rejects only with `session-busy`, before anything was appended. */
export async function runTurn(deps: TurnDeps, drafts: EntryDraft[], signal: AbortSignal): Promise<TurnOutcome> {
  const turn = await deps.session.beginTurn()
  let round: Round | undefined
  try {
    round = await beginRound(deps, turn, drafts, signal)
    return await steps(deps, round)
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
    const entry = round?.prompt ?? null
    // A move stopped this turn from outside: whatever it still wanted to record is refused, and that is its end.
    if (error.code === "turn-ended") return { outcome: "stopped", entry, visible: true }
    const { message, advice } = wordsFor(error.failure)
    return { outcome: "failed", entry, message, advice }
  } finally {
    // Before anything was seen nothing has run, and the files are as they were.
    if (round?.visible === true && !turn.isOver()) await deps.coverage.end(round.prompt)
    else deps.coverage.leave()
    await turn.end()
  }
}

async function beginRound(deps: TurnDeps, turn: Turn, drafts: EntryDraft[], signal: AbortSignal): Promise<Round> {
  const beginning = await newBeginning(deps)
  const first = deps.session.state(SYSTEM_KEY) === undefined
  if (beginning !== undefined && first) await turn.append(beginning)
  await deps.coverage.mark()
  // A new beginning in mid-conversation belongs to the round of its prompt, so that one undo takes both back.
  const appended = await turn.append(beginning === undefined || first ? drafts : [...drafts, beginning])
  const prompt = appended[drafts.length - 1] as EntryId
  deps.emit({ type: "turn-start", entry: prompt, text: textOf(drafts) })
  deps.coverage.begin(prompt)
  const context = growingContext(deps.session.history)
  const size = contextSizes(deps.session.history, deps.tokens, deps.tools)
  const offer = makeOffer(deps.session.history, deps.tokens)
  return {
    turn,
    prompt,
    signal,
    visible: false,
    context,
    size,
    offer,
    compactionFailed: false,
    emptyAnswers: 0,
    overflows: 0,
  }
}

function textOf(drafts: readonly EntryDraft[]): string {
  const last = drafts.at(-1)
  if (last?.type !== "message") return ""
  return last.display ?? last.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
}

async function steps(deps: TurnDeps, round: Round): Promise<TurnOutcome> {
  const { prompt: entry } = round
  for (let n = 1; n <= deps.maxSteps; n++) {
    await giveSteering(deps, round)
    const size = await compactIfFull(deps, round)
    if (round.signal.aborted) return { outcome: "stopped", entry, visible: round.visible }
    const result = await oneStep(deps, round, n, size)
    const end = await conclude(deps, round, result)
    if (end !== undefined) return end
  }
  return {
    outcome: "failed",
    entry,
    message: `Stopped after ${deps.maxSteps} ${deps.maxSteps === 1 ? "step" : "steps"}, the most that one turn may take.`,
    advice: ["Send another prompt to continue, or allow more: ", { do: "max-steps" }],
  }
}

async function giveSteering(deps: TurnDeps, round: Round): Promise<void> {
  await giveAll(deps.steering, async (input) => {
    const [entry] = await round.turn.append(inputDraft(input, "steer"), { durable: true })
    deps.emit({ type: "steer-given", entry: entry as EntryId })
    return entry as EntryId
  })
}

/** Answers how large the context is now. */
async function compactIfFull(deps: TurnDeps, round: Round): Promise<ContextSize> {
  const size = round.size(deps.session.headRow)
  if (round.compactionFailed || !mustCompact(size.used + size.pending, deps.model.window, deps.limits)) return size
  if (!isWorthwhile(deps, size.used + size.pending)) return size
  const compacted = await compactNow(deps, { cause: "threshold" }, round.signal)
  if (compacted.outcome === "compacted") return round.size(deps.session.headRow)
  if (compacted.outcome === "nothing" || round.signal.aborted) return size
  round.compactionFailed = true
  const text = `The conversation is nearly full and could not be compacted: ${compacted.problem} Going on without.`
  deps.emit({ type: "notice", level: "warning", text })
  return size
}

async function oneStep(deps: TurnDeps, round: Round, n: number, size: ContextSize): Promise<StepResult> {
  const { session, model, tools, root, env, secrets, consent, coverage, meter } = deps
  if (deps.backtrack) {
    const leaves = round.offer(session.headRow, model.window)
    await round.turn.append({ type: "checkpoint", n: session.nextCheckpoint(), ...(leaves && { leaves }) })
  }
  deps.emit({ type: "step-start", step: n })
  let answer: EntryId | undefined
  return step({
    model,
    messages: round.context(session.headRow),
    tools,
    root,
    env,
    secrets,
    consent,
    signal: round.signal,
    room: (usage) =>
      roomForResults(Math.max(size.used + size.pending, tokensOf(usage)), deps.model.window, deps.limits),
    tokens: deps.tokens,
    now: () => deps.now(),
    emit(event) {
      const shown = forHost(event, coverage)
      if (shown === undefined) return
      if (shown.type !== "retry" && shown.type !== "notice") round.visible = true
      deps.emit(shown)
    },
    hooks: {
      async answered({ content, reason, usage }) {
        meter.add(usage, model.price)
        round.overflows = 0
        if (size.used === 0) deps.learn?.(size.pending, sentTokens(usage))
        if (content.length === 0) return
        const draft = answerDraft(content, { model: model.id, usage, stop: reason })
        answer = (await round.turn.append(draft, { durable: true })).at(-1)
        if (answer !== undefined) deps.emit({ type: "step-end", entry: answer, usage })
      },
      async beforeTool(info) {
        const problem = answer === undefined ? undefined : await coverage.before(answer, info)
        return problem === undefined ? undefined : { refuse: problem }
      },
      async afterTool(info) {
        await coverage.after(info)
      },
    },
  })
}

/** An answer that ends like this is not whole, though it looks so. */
const CUT_SHORT: Partial<Record<FinishReason, { text: string; advice: Advice }>> = {
  length: {
    text: "The answer was cut off: it reached the most that the model writes at once.",
    advice: "Ask it to continue.",
  },
  filter: {
    text: "The answer was cut off, because the provider refused to continue it.",
    advice: ["Go back with ", { do: "back" }, " and ask in other words."],
  },
}

/** An answer without text and calls that no second try would change: it is told as what it is. */
const NOTHING_SAID: Partial<Record<FinishReason, { message: string; advice: Advice }>> = {
  length: {
    message: "The model spent all that it may write at once on thinking, and came to no answer.",
    advice: ["Ask for a smaller step, or have it think less: ", { do: "think", level: "low" }],
  },
  filter: {
    message: "The model's provider refused to answer this conversation.",
    advice: [
      "Go back before it with ",
      { do: "back" },
      " and ask in other words, or choose another model with ",
      { do: "model" },
      ".",
    ],
  },
}

/** What follows a step: another one (undefined), or the end of the turn. */
async function conclude(deps: TurnDeps, round: Round, result: StepResult): Promise<TurnOutcome | undefined> {
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
      if (++round.emptyAnswers < 2) return undefined
      return { outcome: "failed", entry, message: "The model sent an empty answer, twice.", advice: SEND_AGAIN }
    }
    case "called":
      return afterCalls(deps, round, result)
    case "failed":
      return afterFailure(deps, round, result)
  }
}

async function afterCalls(
  deps: TurnDeps,
  round: Round,
  result: Extract<StepResult, { outcome: "called" }>,
): Promise<TurnOutcome | undefined> {
  const { prompt: entry } = round
  round.emptyAnswers = 0
  const states = Object.entries(result.state).map(([key, value]): EntryDraft => ({ type: "state", key, value }))
  const drafts = [toolDraft(result.results, result.interrupted ? { origin: "interrupt" } : {}), ...states]
  await round.turn.append(drafts, { durable: true })
  const { todos } = result.state
  if (Array.isArray(todos)) deps.emit({ type: "todos", todos: todos as never })
  if (result.interrupted) return { outcome: "stopped", entry, visible: true }
  if (result.repeating) {
    const advice: Advice = ["Say what it should do differently, or go back with ", { do: "back" }, "."]
    return { outcome: "failed", entry, message: "The model repeats the same call and does not listen.", advice }
  }
  if (result.backtrack !== undefined) await goBack(deps, result.backtrack)
  return undefined
}

/** No provider goes on with an answer of its own: somebody must have spoken after it. */
const GO_ON: EntryDraft = {
  type: "message",
  role: "user",
  origin: "injection",
  content: [{ type: "text", text: "<system>Your answer was cut off, because the context was full. Go on.</system>" }],
}

async function afterFailure(
  deps: TurnDeps,
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
  const refused =
    problem.kind === "invalid" && problem.status !== 404
      ? refusedEntry(deps.session.history, deps.session.headRow, deps.model.id, problem)
      : undefined
  return { outcome: "failed", entry, ...(refused ?? { message: problem.message, advice: adviceFor(problem.kind) }) }
}

/** A compaction, then a harder one; only when that does not help either is it the end. */
async function afterOverflow(deps: TurnDeps, round: Round, said: string): Promise<TurnOutcome | undefined> {
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
  const message = `The conversation is too long for the model, and there is nothing left to leave out: ${said}`
  return {
    outcome: "failed",
    entry,
    message,
    advice: ["Go back a round with ", { do: "back" }, ", or choose a model with a larger window: ", { do: "model" }],
  }
}

const SEND_AGAIN: Advice = ["Send the prompt again, or choose another model with ", { do: "model" }, "."]

function adviceFor(kind: Extract<StepResult, { outcome: "failed" }>["problem"]["kind"]): Advice {
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

// One turn: a prompt, then checkpoint and step until the model has nothing more to call. Everything is appended as it
// happens; once the turn is stopped, nothing is.
import { type StepResult, step } from "../agent/step/step.ts"
import type { StepEvent } from "../agent/step/step-events.ts"
import { growingContext } from "../history/context/context.ts"
import { wordsFor } from "../model/failure/failure-words.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { EntryId } from "../model/id.ts"
import { SYSTEM_KEY } from "../model/record/state-key.ts"
import { unreachable } from "../model/unreachable.ts"
import type { HostEvent } from "../protocol/event.ts"
import { sentTokens, tokensOf } from "../provider/port/usage.ts"
import { answerDraft, type EntryDraft } from "../session/state/draft.ts"
import type { Turn, TurnOptions } from "../session/state/turn.ts"
import { makeBacktrackOffer } from "./backtrack-offer.ts"
import { newBeginning } from "./compaction/ask.ts"
import { type CompactDeps, compactNow, isWorthwhile } from "./compaction/compaction.ts"
import { conclude } from "./conclude.ts"
import { inputDraft } from "./drafts.ts"
import type { Coverage } from "./port/coverage.ts"
import { giveAll } from "./port/steering.ts"
import type { TurnBudget, TurnConversation, TurnDeps, TurnMachine, TurnPerson } from "./port/turn-deps.ts"
import type { Round, TurnOutcome } from "./round.ts"
import { type ContextSize, contextSizes } from "./window/context-size.ts"
import { mustCompact, roomForResults } from "./window/threshold.ts"

/**
 * Contract: holds the lease while it runs. Rejects only with `session-busy` or `moved-elsewhere`, before anything is appended.
 */
export async function runTurn(
  deps: TurnDeps,
  drafts: EntryDraft[],
  signal: AbortSignal,
  request: TurnOptions = {},
): Promise<TurnOutcome> {
  const turn = await deps.session.beginTurn(request)
  let round: Round | undefined
  try {
    round = await beginRound(deps, turn, drafts, signal)
    return await steps(deps, round)
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
    const entry = round?.prompt ?? null
    // A move stopped this turn from outside: whatever it still tries to record is refused, and the turn is over.
    if (error.code === "turn-ended") return { outcome: "stopped", entry, visible: true }
    const { message, advice } = wordsFor(error.failure)
    return { outcome: "failed", entry, message, advice }
  } finally {
    // As long as nothing was visible, nothing has run, and the files are as they were.
    if (round?.visible === true && !turn.isOver()) await deps.coverage.end(round.prompt)
    else deps.coverage.leave()
    await turn.end()
  }
}

async function beginRound(deps: TurnDeps, turn: Turn, drafts: EntryDraft[], signal: AbortSignal): Promise<Round> {
  const lost = deps.lostAnswer?.(deps.session.head)
  if (lost !== undefined) await turn.append(lost)
  const beginning = await newBeginning(deps)
  const first = deps.session.state(SYSTEM_KEY) === undefined
  if (beginning !== undefined && first) await turn.append(beginning)
  await deps.coverage.mark()
  // A new system prompt in mid-conversation belongs to the round of its prompt, so that one undo takes both back.
  const appended = await turn.append(beginning === undefined || first ? drafts : [...drafts, beginning])
  const prompt = appended[drafts.length - 1] as EntryId
  deps.emit({ type: "turn-start", entry: prompt, text: textOf(drafts) })
  deps.coverage.begin(prompt)
  const context = growingContext(deps.session.history)
  const size = contextSizes(deps.session.history, deps.tokens, deps.tools)
  const offer = makeBacktrackOffer(deps.session.history, deps.tokens)
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
    message: `Stopped after ${deps.maxSteps} ${deps.maxSteps === 1 ? "step" : "steps"}, the limit for one turn.`,
    advice: ["Send another prompt to continue, or allow more: ", { do: "max-steps" }],
  }
}

async function giveSteering(deps: Pick<TurnPerson, "steering" | "emit">, round: Round): Promise<void> {
  await giveAll(deps.steering, async (input) => {
    const [entry] = await round.turn.append(inputDraft(input, "steer"), { durable: true })
    deps.emit({ type: "steer-given", entry: entry as EntryId })
    return entry as EntryId
  })
}

/** Returns the size of the context afterwards. */
async function compactIfFull(deps: CompactDeps, round: Round): Promise<ContextSize> {
  const size = round.size(deps.session.headRow)
  if (round.compactionFailed || !mustCompact(size.used + size.pending, deps.model.window, deps.limits)) return size
  if (!isWorthwhile(deps, size.used + size.pending)) return size
  const compacted = await compactNow(deps, { cause: "threshold" }, round.signal)
  if (compacted.outcome === "compacted") return round.size(deps.session.headRow)
  if (compacted.outcome === "nothing" || round.signal.aborted) return size
  round.compactionFailed = true
  const text = `The conversation is nearly full and could not be compacted: ${compacted.problem} Continuing without that.`
  deps.emit({ type: "notice", level: "warning", text })
  return size
}

type StepDeps = TurnConversation & TurnBudget & TurnMachine & TurnPerson

/** One step of a turn: a checkpoint, then the agent's step, recorded as it happens. */
async function oneStep(deps: StepDeps, round: Round, n: number, size: ContextSize): Promise<StepResult> {
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
        meter.add(usage, model)
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

/**
 * Converts a step's events for front ends. Undefined: not for front ends. Questions are reported by the part that asks
 * them.
 */
function forHost(event: StepEvent, coverage: Pick<Coverage, "changes">): HostEvent | undefined {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
    case "tool-delta":
    case "retry":
      return event
    case "notice":
      return { type: "notice", level: "warning", text: event.text }
    case "text-end":
      return { type: "text-end" }
    case "reasoning-end":
      return { type: "reasoning-end" }
    case "tool-start": {
      const { call, name, title, input, action } = event
      return { type: "tool-start", call, name, title, input, ...(action.kind === "write" ? { diff: action.diff } : {}) }
    }
    case "tool-end": {
      const { call, name, output, error } = event
      return { type: "tool-end", call, name, output, error, files: coverage.changes(call) }
    }
    case "text-start":
    case "reasoning-start":
    case "tool-call":
    case "permission-start":
    case "permission-end":
      return undefined
    default:
      return unreachable(event)
  }
}

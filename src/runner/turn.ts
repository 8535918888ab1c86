// One turn: a prompt, then checkpoint and step until the model has nothing more to call. Everything is appended as it
// happens; once the turn is stopped, nothing is.
import { growingContext } from "../history/context/context.ts"
import { wordsFor } from "../model/failure/failure-words.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { EntryId } from "../model/id.ts"
import { SYSTEM_KEY } from "../model/record/state-key.ts"
import type { EntryDraft } from "../session/state/draft.ts"
import type { Turn, TurnOptions } from "../session/state/turn.ts"
import { makeBacktrackOffer } from "./backtrack-offer.ts"
import { newBeginning } from "./compaction/beginning.ts"
import { type CompactDeps, compactNow, isWorthwhile } from "./compaction/compaction.ts"
import { conclude } from "./conclude.ts"
import { inputDraft } from "./drafts.ts"
import { oneStep } from "./one-step.ts"
import { giveAll } from "./port/steering.ts"
import type { TurnDeps, TurnPerson } from "./port/turn-deps.ts"
import type { Round, TurnOutcome } from "./round.ts"
import { type ContextSize, contextSizes } from "./window/context-size.ts"
import { mustCompact } from "./window/threshold.ts"

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

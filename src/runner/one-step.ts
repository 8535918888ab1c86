// One step of a turn: a checkpoint, then the agent's step, recorded as it happens.
import { type StepResult, step } from "../agent/step/step.ts"
import type { EntryId } from "../model/id.ts"
import { sentTokens, tokensOf } from "../provider/port/usage.ts"
import { answerDraft } from "../session/state/draft.ts"
import { forHost } from "./port/host-event.ts"
import type { TurnBudget, TurnConversation, TurnMachine, TurnPerson } from "./port/turn-deps.ts"
import type { Round } from "./round.ts"
import type { ContextSize } from "./window/context-size.ts"
import { roomForResults } from "./window/threshold.ts"

type StepDeps = TurnConversation & TurnBudget & TurnMachine & TurnPerson

export async function oneStep(deps: StepDeps, round: Round, n: number, size: ContextSize): Promise<StepResult> {
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

// The turn that runs in a session, if one does: started, steered, stopped, and its outcome told once.

import { unreachable } from "../model/unreachable.ts"
import type { HostEvent } from "../protocol/event.ts"
import type { PromptInput, SendAnswer } from "../protocol/host.ts"
import { inputDraft } from "../runner/drafts.ts"
import type { TurnParts } from "../runner/parts.ts"
import { runTurn, type TurnOutcome } from "../runner/turn.ts"
import type { Session } from "../session/session.ts"

/** A tool that does not end when it is told to is left behind: nothing of it is recorded any more. */
const STOP_GRACE = 900

export interface Running {
  readonly active: boolean
  start(input: PromptInput, parts: TurnParts): Promise<SendAnswer>
  stop(): Promise<{ stopped: boolean; withdrawn?: PromptInput }>
}

export function makeRunning(session: Session, emit: (event: HostEvent) => void): Running {
  let current: { controller: AbortController; ended: Promise<SendAnswer> } | undefined

  async function run(input: PromptInput, parts: TurnParts, signal: AbortSignal): Promise<SendAnswer> {
    const outcome = await runTurn(parts, [inputDraft(input, "prompt")], signal)
    const answer = await answerFor(session, input, outcome)
    const message = answer.outcome === "failed" ? { message: answer.message } : {}
    const shown = answer.outcome === "steered" ? "done" : answer.outcome
    emit({ type: "turn-end", outcome: shown, ...message, totals: parts.meter.totals() })
    return answer
  }

  return {
    get active() {
      return current !== undefined
    },
    async start(input, parts) {
      const controller = new AbortController()
      const ended = run(input, parts, controller.signal)
      current = { controller, ended }
      try {
        return await ended
      } finally {
        current = undefined
      }
    },
    async stop() {
      if (current === undefined) return { stopped: false }
      const { controller, ended } = current
      controller.abort()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<"late">((settle) => {
        timer = setTimeout(() => settle("late"), STOP_GRACE)
      })
      const first = await Promise.race([ended, late])
      clearTimeout(timer)
      if (first === "late") {
        await session.stopTurn()
        return { stopped: true }
      }
      return first.outcome === "withdrawn" ? { stopped: true, withdrawn: first.input } : { stopped: true }
    },
  }
}

/** Stopped before anything was seen: the prompt is withdrawn, by an operation, and its text comes back. */
async function answerFor(session: Session, input: PromptInput, outcome: TurnOutcome): Promise<SendAnswer> {
  switch (outcome.outcome) {
    case "done":
      return { outcome: "done", entry: outcome.entry }
    case "failed":
      return { outcome: "failed", message: outcome.message, hint: outcome.hint }
    case "stopped": {
      if (outcome.visible) return { outcome: "stopped", entry: outcome.entry }
      const withdrawn = await session.retract()
      return withdrawn.outcome === "refused"
        ? { outcome: "stopped", entry: outcome.entry }
        : { outcome: "withdrawn", input }
    }
    default:
      return unreachable(outcome)
  }
}

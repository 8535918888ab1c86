// What runs in a session: a turn, or something shorter that can be stopped as well. A turn's outcome is told once.

import { unreachable } from "../model/unreachable.ts"
import type { HostEvent } from "../protocol/event.ts"
import type { PromptInput, SendAnswer } from "../protocol/host.ts"
import { inputDraft } from "../runner/drafts.ts"
import type { Meter } from "../runner/meter.ts"
import type { TurnOutcome } from "../runner/round.ts"
import type { Steering } from "../runner/steering.ts"
import { runTurn } from "../runner/turn.ts"
import type { TurnDeps } from "../runner/turn-deps.ts"
import type { Session } from "../session/session.ts"

/** A turn that does not end when it is told to is left behind: nothing of it is recorded any more. */
const STOP_GRACE = 900

export interface Running {
  /** A turn runs: what is sent now steers it. */
  readonly active: boolean
  /** Contract: active from the moment this is called until the answer is there. */
  start(input: PromptInput): Promise<SendAnswer>
  /** Resolves when no turn runs. */
  idle(): Promise<void>
  /** Resolves when the prompt of the turn that runs is recorded, or no turn runs. */
  begun(): Promise<void>
  /** Work outside of a turn, such as a compaction, that `stop` ends too. `own`: a command of the person's. */
  during<Value>(work: (signal: AbortSignal) => Promise<Value>, whose?: "own"): Promise<Value>
  /** Before any visible output the prompt is withdrawn and comes back, unless it is said that it stays. */
  stop(how?: StopHow): Promise<{ stopped: boolean; withdrawn?: PromptInput }>
}

export interface StopHow {
  /** The move that follows, or who comes back later, finds it where it is. */
  prompt?: "stays"
  /** What the person runs themselves is no part of the turn. */
  ownCommands?: "go on"
  /** Only the turn is stopped. */
  others?: "go on"
  /** Asked by the work that has this signal: it goes on, and what began after it waits for it, not the other way round. */
  by?: AbortSignal
}

export interface RunningDeps {
  session: Session
  steering: Steering
  meter: Meter
  turnDeps(): Promise<TurnDeps>
  emit: (event: HostEvent) => void
}

interface Current {
  controller: AbortController
  ended: Promise<SendAnswer>
  /** Ends it for everybody who waits, whatever it still does. Only the first call counts. */
  finish(answer: SendAnswer): void
  /** The prompt is recorded, or never will be. */
  begun: Promise<void>
  over: boolean
  promptStays: boolean
}

export function makeRunning(deps: RunningDeps): Running {
  const { session, steering, meter, emit } = deps
  const others = new Set<{ controller: AbortController; ended: Promise<unknown>; own: boolean }>()
  let current: Current | undefined

  function begin(input: PromptInput): Current {
    const controller = new AbortController()
    let [settle, fail]: [(answer: SendAnswer) => void, (error: unknown) => void] = [() => {}, () => {}]
    const ended = new Promise<SendAnswer>((resolve, reject) => {
      settle = resolve
      fail = reject
    })
    let begin = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const end = (tell: () => void) => {
      if (turn.over) return
      turn.over = true
      begin()
      if (current === turn) current = undefined
      tell()
    }
    const finish = (answer: SendAnswer) =>
      end(() => {
        emit(turnEnd(answer, meter))
        settle(answer)
        afterwards(answer)
      })
    const turn: Current = { controller, ended, finish, begun, over: false, promptStays: false }
    let started = false
    const start = () => {
      started = true
      begin()
    }
    run(input, turn, start).then(finish, (error: unknown) =>
      end(() => {
        // A front end that saw it start must see it end, whatever went wrong.
        if (started) emit({ type: "turn-end", outcome: "failed", totals: meter.totals() })
        fail(error)
        steering.giveBack()
      }),
    )
    return turn
  }

  async function run(input: PromptInput, turn: Current, begun: () => void): Promise<SendAnswer> {
    const own = await deps.turnDeps()
    const told = (event: HostEvent) => {
      if (event.type === "turn-start") begun()
      own.emit(event)
    }
    const outcome = await runTurn({ ...own, emit: told }, [inputDraft(input, "prompt")], turn.controller.signal)
    if (turn.over || (turn.promptStays && outcome.outcome === "stopped")) {
      return { outcome: "stopped", entry: outcome.entry }
    }
    return answerFor(session, input, outcome)
  }

  /** What was typed too late for the last step is the next prompt; of a turn that did not end well it comes back. */
  function afterwards(answer: SendAnswer): void {
    const next = answer.outcome === "done" ? steering.next() : undefined
    if (next === undefined) {
      steering.giveBack()
      return
    }
    const { input, settle } = next
    current = begin(input)
    current.ended.then(settle, () => settle({ outcome: "withdrawn", input }))
  }

  return {
    get active() {
      return current !== undefined
    },
    start(input) {
      current = begin(input)
      return current.ended
    },
    async idle() {
      // What was typed too late for one turn begins the next.
      for (let turn = current; turn !== undefined; turn = current) await turn.ended.catch(() => undefined)
    },
    async begun() {
      await current?.begun
    },
    async during(work, whose) {
      const controller = new AbortController()
      // Once it is listed: its first act may be to stop what runs.
      const ended = Promise.resolve().then(() => work(controller.signal))
      const other = { controller, ended: ended.catch(() => undefined), own: whose === "own" }
      others.add(other)
      try {
        return await ended
      } finally {
        others.delete(other)
      }
    },
    async stop({ prompt, ownCommands, others: besides, by } = {}) {
      const turn = current
      if (turn !== undefined && prompt === "stays") turn.promptStays = true
      const all = [...others]
      const older =
        by === undefined
          ? all
          : all.slice(
              0,
              all.findIndex(({ controller }) => controller.signal === by),
            )
      const stopped = besides === "go on" ? [] : older.filter(({ own }) => !own || ownCommands !== "go on")
      const stopping = [...stopped, ...(turn === undefined ? [] : [turn])]
      for (const { controller } of stopping) controller.abort()
      if (stopping.length === 0) return { stopped: false }
      const ended = Promise.all(stopping.map((each) => each.ended.catch(() => undefined)))
      if ((await inTime(ended)) === "late" && turn !== undefined && !turn.over) {
        await session.stopTurn()
        turn.finish({ outcome: "stopped", entry: session.head })
      }
      const answer = await turn?.ended.catch(() => undefined)
      return answer?.outcome === "withdrawn" ? { stopped: true, withdrawn: answer.input } : { stopped: true }
    },
  }
}

async function inTime(work: Promise<unknown>): Promise<"ended" | "late"> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<"late">((settle) => {
    timer = setTimeout(() => settle("late"), STOP_GRACE)
  })
  const first = await Promise.race([work.then(() => "ended" as const), late])
  clearTimeout(timer)
  return first
}

function turnEnd(answer: SendAnswer, meter: Meter): HostEvent {
  const message = answer.outcome === "failed" ? { message: answer.message } : {}
  const outcome = answer.outcome === "steered" ? "done" : answer.outcome
  return { type: "turn-end", outcome, ...message, totals: meter.totals() }
}

/** Stopped before anything was seen: the prompt is withdrawn, by an operation, and its text comes back. */
async function answerFor(session: Session, input: PromptInput, outcome: TurnOutcome): Promise<SendAnswer> {
  switch (outcome.outcome) {
    case "done":
      return { outcome: "done", entry: outcome.entry }
    case "failed":
      return { outcome: "failed", message: outcome.message, advice: outcome.advice }
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

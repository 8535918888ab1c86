// What runs in a session: a turn, or shorter work that can be stopped as well. A turn's outcome is reported once.
import { unreachable } from "../../model/unreachable.ts"
import type { HostEvent } from "../../protocol/event.ts"
import type { PromptInput, SendAnswer, SendRequest } from "../../protocol/host.ts"
import type { Steering } from "../../runner/port/steering.ts"
import type { TurnOutcome } from "../../runner/round.ts"
import type { Meter } from "../../runner/window/meter.ts"
import type { Session } from "../../session/session.ts"
import type { EmitEvent, EventFeed } from "../port/event-feed.ts"
import type { UnrecordedPrompt } from "./foreign-turn.ts"
import { nextPhase, type PhaseChange, type PhaseEffect, STARTING, type TurnPhase } from "./turn-phase.ts"

/** A turn that does not end in this time after a stop is abandoned: nothing more of it is recorded. */
const STOP_GRACE = 900

export interface Running {
  /** Whether a turn runs. A message sent now steers it. */
  readonly active: boolean
  /** Contract: active from this call until it resolves. */
  start(input: PromptInput, request?: SendRequest): Promise<SendAnswer>
  /** Resolves when no turn runs. */
  idle(): Promise<void>
  /** Resolves when the running turn's prompt is recorded, or no turn runs. */
  begun(): Promise<void>
  /** Runs work outside a turn, such as a compaction, that `stop` ends too. `own`: a person's own command. */
  during<Value>(work: (signal: AbortSignal) => Promise<Value>, whose?: "own"): Promise<Value>
  /** If nothing was visible yet, the prompt is withdrawn and returned, unless `how` says that it stays. */
  stop(how?: StopHow): Promise<{ stopped: boolean; withdrawn?: PromptInput; returned?: string[] }>
}

export interface StopHow {
  /** Leave the prompt in the tree, for the move that follows or for someone who comes back later. */
  prompt?: "stays"
  /** Let the person's own commands continue: they are not part of the turn. */
  ownCommands?: "go on"
  /** Stop only the turn. */
  others?: "go on"
  /** The work with this signal asked for the stop, so it continues. Work that began after it waits for it. */
  by?: AbortSignal
}

export interface RunningDeps {
  session: Session
  steering: Steering
  meter: Meter
  /** Runs one turn, of our own agent or of another agent's program. */
  turn(
    input: PromptInput,
    emit: EmitEvent,
    signal: AbortSignal,
    request: SendRequest,
  ): Promise<TurnOutcome | UnrecordedPrompt>
  feed: Pick<EventFeed, "turn" | "emitOf" | "over">
}

interface Current {
  /** The number in its events. */
  number: number
  controller: AbortController
  ended: Promise<SendAnswer>
  /** Resolves when the prompt is recorded or never will be. */
  begun: Promise<void>
  readonly phase: TurnPhase
  take(change: PhaseChange): void
}

export function makeRunning(deps: RunningDeps): Running {
  const { session, steering, meter, feed } = deps
  const others = new Set<{ controller: AbortController; ended: Promise<unknown>; own: boolean }>()
  let current: Current | undefined

  function begin(input: PromptInput, request: SendRequest = {}): Current {
    const controller = new AbortController()
    const number = feed.turn
    const emit = feed.emitOf(number)
    const ended = gate<SendAnswer>()
    const begun = gate<void>()
    let phase = STARTING

    function take(change: PhaseChange): void {
      const next = nextPhase(phase, change)
      phase = next.state
      if (phase.is === "over" && current === turn) current = undefined
      for (const effect of next.effects) carryOut(effect)
    }

    function carryOut(effect: PhaseEffect): void {
      switch (effect.do) {
        case "begin":
          return begun.open()
        case "tell-end":
          return emit(turnEnd(effect.answer, meter, returned(effect.answer)))
        case "answer":
          feed.over(number)
          return ended.open(effect.answer)
        case "reject":
          feed.over(number)
          return ended.fail(effect.error)
        case "go-on":
          return goOn()
        case "give-back":
          return steering.giveBack()
        default:
          return unreachable(effect)
      }
    }

    const turn: Current = {
      number,
      controller,
      ended: ended.passed,
      begun: begun.passed,
      get phase() {
        return phase
      },
      take,
    }
    run(input, { turn, request, emit }).then(
      (answer) => take({ type: "ended", answer }),
      (error: unknown) => take({ type: "broke", error }),
    )
    return turn
  }

  /** What waited and comes back. After a turn that ended well, it becomes the next prompt instead. */
  function returned(answer?: SendAnswer | "broke"): { returned?: string[] } {
    const waiting = steering.queued().map(({ display, text }) => display ?? text)
    const isDone = answer !== undefined && answer !== "broke" && answer.outcome === "done"
    return isDone || waiting.length === 0 ? {} : { returned: waiting }
  }

  async function run(
    input: PromptInput,
    { turn, request, emit }: { turn: Current; request: SendRequest; emit: EmitEvent },
  ): Promise<SendAnswer> {
    const told = (event: HostEvent) => {
      if (event.type === "turn-start") turn.take({ type: "recorded" })
      emit(event)
    }
    const outcome = await deps.turn(input, told, turn.controller.signal, request)
    if (outcome.outcome === "unrecorded") return { outcome: "withdrawn", input }
    if (turn.phase.is === "over" || (turn.phase.promptStays && outcome.outcome === "stopped")) {
      return { outcome: "stopped", entry: outcome.entry }
    }
    return answerFor(session, input, outcome)
  }

  /** A message typed too late for the last step becomes the next prompt. */
  function goOn(): void {
    const next = steering.next()
    if (next === undefined) return steering.giveBack()
    const { input, settle } = next
    current = begin(input)
    current.ended.then(settle, () => settle({ outcome: "withdrawn", input }))
  }

  return {
    get active() {
      return current !== undefined
    },
    start(input, request) {
      current = begin(input, request)
      return current.ended
    },
    async idle() {
      // Messages typed too late for one turn start the next.
      for (let turn = current; turn !== undefined; turn = current) await turn.ended.catch(() => undefined)
    },
    async begun() {
      await current?.begun
    },
    async during(work, whose) {
      const controller = new AbortController()
      // Start it only now that it is listed: it may begin by stopping what runs.
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
      turn?.take({ type: "stop", prompt })
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
      if (turn !== undefined) feed.over(turn.number)
      else if (stopped.some(({ own }) => !own)) feed.over(feed.turn)
      for (const { controller } of stopping) controller.abort()
      if (stopping.length === 0) return { stopped: false }
      const waiting = turn === undefined ? {} : returned()
      const ended = Promise.all(stopping.map((each) => each.ended.catch(() => undefined)))
      if ((await inTime(ended)) === "late" && turn !== undefined && turn.phase.is !== "over") {
        await session.stopTurn()
        turn.take({ type: "ended", answer: { outcome: "stopped", entry: session.head } })
      }
      const answer = await turn?.ended.catch(() => undefined)
      const back = answer?.outcome === "done" ? {} : waiting
      return { stopped: true, ...(answer?.outcome === "withdrawn" && { withdrawn: answer.input }), ...back }
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

function turnEnd(answer: SendAnswer | "broke", meter: Meter, more: { returned?: string[] }): HostEvent {
  const ended = { type: "turn-end", totals: meter.totals(), ...more } as const
  if (answer === "broke") return { ...ended, outcome: "failed" }
  const message = answer.outcome === "failed" ? { message: answer.message, advice: answer.advice } : {}
  return { ...ended, outcome: answer.outcome === "steered" ? "done" : answer.outcome, ...message }
}

/** A promise that is settled from outside. */
function gate<Value>(): { passed: Promise<Value>; open(value: Value): void; fail(error: unknown): void } {
  let [open, fail]: [(value: Value) => void, (error: unknown) => void] = [() => undefined, () => undefined]
  const passed = new Promise<Value>((settle, reject) => {
    open = settle
    fail = reject
  })
  return { passed, open: (value) => open(value), fail: (error) => fail(error) }
}

/** Stopped before anything was visible: withdraws the prompt with an operation, and returns its text. */
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

// What is going on in the session on the screen, as a state machine: each event gives the next state, and what to do about it.
import { unreachable } from "../../model/unreachable.ts"
import { type HostEvent, OWN_COMMAND } from "../../protocol/event.ts"
import type { AttemptState } from "../../protocol/explore.ts"
import type { Question } from "../../protocol/numbered-event.ts"

export interface TurnState {
  running: boolean
  /** Prompts that were sent and whose turn has not been reported yet. */
  sending: number
  /** The person wants to stop a turn that is just about to start. */
  stopWanted: boolean
  /** The person's own commands. */
  commands: number
  /** Oldest first. */
  questions: readonly Question[]
  /** Typed while the agent runs, and not sent to it yet. */
  queued: readonly string[]
  /** Those that run now, in the order in which they began. */
  attempts: readonly AttemptState[]
  /** What the progress line shows; undefined: nothing is going on. */
  doing: string | undefined
  /** Reported tokens, and characters that are streaming. */
  written: { reported: number; characters: number }
}

export const IDLE: TurnState = {
  running: false,
  sending: 0,
  stopWanted: false,
  commands: 0,
  questions: [],
  queued: [],
  attempts: [],
  doing: undefined,
  written: { reported: 0, characters: 0 },
}

export type TurnEvent =
  | HostEvent
  /** A prompt that starts a turn is on its way. */
  | { type: "send" }
  /** The answer to a prompt or a command is there. `starts`: it was announced with `send`. */
  | { type: "sent"; starts: boolean }
  | { type: "stop-wanted" }
  /** The person took back the newest message with this text. */
  | { type: "taken-back"; text: string }

/** `tell`: notify a person who looks elsewhere. `stop`: stop the turn that has just begun. */
export type TurnEffect = { do: "tell"; text: string } | { do: "stop" }

export interface NextTurn {
  state: TurnState
  effects: readonly TurnEffect[]
}

export function isBusy({ running, sending, commands }: TurnState): boolean {
  return running || sending > 0 || commands > 0
}

const CHARACTERS_A_TOKEN = 4

export function tokensWritten({ written }: TurnState): number {
  return written.reported + Math.ceil(written.characters / CHARACTERS_A_TOKEN)
}

const OWN_DOING = "Running your command"

export function nextTurn(state: TurnState, event: TurnEvent): NextTurn {
  const next = (change: Partial<TurnState>, ...effects: TurnEffect[]): NextTurn => ({
    state: { ...state, ...change },
    effects,
  })
  const { running, sending, commands, queued, written } = state
  if (isOfTask(event)) return next({})
  switch (event.type) {
    case "approval-start": {
      const tell: TurnEffect = { do: "tell", text: `${event.name} is waiting for your answer` }
      return next({ questions: [...state.questions, event], doing: "Waiting for your answer" }, tell)
    }
    case "approval-end": {
      const asked = state.questions.find(({ approval }) => approval === event.approval)
      const questions = state.questions.filter((question) => question !== asked)
      if (questions.length > 0 || !state.running) return next({ questions })
      const allowed = event.answer === "once" || event.answer === "session" || event.answer === "settled"
      return next({ questions, doing: allowed && asked !== undefined ? `Running ${asked.name}` : "Continuing" })
    }
    case "send":
      return next({ sending: state.sending + 1, doing: "Starting" })
    case "sent": {
      const sent = { ...state, sending: state.sending - (event.starts ? 1 : 0), stopWanted: false }
      return next({ ...sent, ...(!isBusy(sent) && { doing: undefined }) })
    }
    case "stop-wanted":
      return next({ stopWanted: state.sending > 0 })
    case "taken-back": {
      const at = state.queued.lastIndexOf(event.text)
      return next({ queued: state.queued.filter((_, i) => i !== at) })
    }
    case "turn-start": {
      const begun = { running: true, stopWanted: false, doing: "Thinking", written: IDLE.written }
      return state.stopWanted ? next(begun, { do: "stop" }) : next(begun)
    }
    case "step-start":
      return next({ doing: "Thinking" })
    case "text-delta":
    case "reasoning-delta": {
      const characters = written.characters + event.text.length
      const doing = event.type === "text-delta" ? "Writing" : "Thinking"
      return next({ doing, written: { ...written, characters } })
    }
    case "step-end":
      return next({ written: { reported: written.reported + (event.usage.output ?? 0), characters: 0 } })
    case "tool-start":
    case "tool-end": {
      const starts = event.type === "tool-start"
      if (event.name !== OWN_COMMAND) return next(starts ? { doing: `Running ${event.name}` } : {})
      const left = commands + (starts ? 1 : -1)
      // The person's own command is shown only if nothing else runs.
      if (running || sending > 0) return next({ commands: left })
      return next({ commands: left, doing: left === 0 ? undefined : OWN_DOING })
    }
    case "compaction-start":
      return next({ doing: "Compacting the conversation" })
    case "compaction-end":
      return next(running ? {} : { doing: undefined })
    case "steer-queued":
      return next({ queued: [...queued, event.text] })
    case "steer-given":
      return next({ queued: queued.slice(1) })
    case "turn-end": {
      const ended = { running: false, queued: [], doing: commands === 0 ? undefined : OWN_DOING }
      const told = event.outcome === "done" || event.outcome === "failed"
      return told ? next(ended, { do: "tell", text: "The agent is done" }) : next(ended)
    }
    case "attempt": {
      const others = state.attempts.filter(({ session }) => session !== event.state.session)
      if (event.state.state === "ended") return next({ attempts: others })
      const isNew = others.length === state.attempts.length
      const same = state.attempts.map((each) => (each.session === event.state.session ? event.state : each))
      return next({ attempts: isNew ? [...others, event.state] : same })
    }
    case "appended":
    case "backtracked":
    case "changed":
    case "configured":
    case "denied":
    case "end":
    case "host-closing":
    case "labelled":
    case "moved":
    case "not-covered":
    case "notice":
    case "reasoning-end":
    case "retry":
    case "rows-anew":
    case "sandbox":
    case "status":
    case "steer-withdrawn":
    case "text-end":
    case "todos":
    case "tool-delta":
      return next({})
    default:
      return unreachable(event)
  }
}

/** What a sub-agent does is shown with its call; only its questions are the person's. */
function isOfTask(event: TurnEvent): boolean {
  return "task" in event && event.task !== undefined && event.type !== "approval-start" && event.type !== "approval-end"
}

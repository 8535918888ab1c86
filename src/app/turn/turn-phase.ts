// A turn from its beginning to its end, as a state machine: each change gives the next state, and what to do about it.
import { unreachable } from "../../model/unreachable.ts"
import type { SendAnswer } from "../../protocol/host.ts"

export interface TurnPhase {
  /** `begun`: its prompt is recorded, and front ends know of it. `over`: it is answered; whatever it still does counts no more. */
  is: "starting" | "begun" | "over"
  /** If it is stopped, its prompt stays in the tree: for the move that follows, or for someone who comes back later. */
  promptStays: boolean
}

export const STARTING: TurnPhase = { is: "starting", promptStays: false }

export type PhaseChange =
  | { type: "recorded" }
  | { type: "stop"; prompt?: "stays" | undefined }
  | { type: "ended"; answer: SendAnswer }
  | { type: "broke"; error: unknown }

export type PhaseEffect =
  /** Whoever waits for its prompt need not wait any more. */
  | { do: "begin" }
  /** Front ends that saw it start must see it end. */
  | { do: "tell-end"; answer: SendAnswer | "broke" }
  | { do: "answer"; answer: SendAnswer }
  | { do: "reject"; error: unknown }
  /** What was typed too late for its last step is the next prompt. */
  | { do: "go-on" }
  /** What was typed and not received comes back. */
  | { do: "give-back" }

export interface NextPhase {
  state: TurnPhase
  effects: readonly PhaseEffect[]
}

export function nextPhase(state: TurnPhase, change: PhaseChange): NextPhase {
  if (state.is === "over") return { state, effects: [] }
  const over: TurnPhase = { ...state, is: "over" }
  switch (change.type) {
    case "recorded":
      return { state: { ...state, is: "begun" }, effects: [{ do: "begin" }] }
    case "stop":
      return { state: change.prompt === "stays" ? { ...state, promptStays: true } : state, effects: [] }
    case "ended": {
      const { answer } = change
      const last = answer.outcome === "done" ? ({ do: "go-on" } as const) : ({ do: "give-back" } as const)
      return { state: over, effects: [{ do: "begin" }, { do: "tell-end", answer }, { do: "answer", answer }, last] }
    }
    case "broke": {
      const told: PhaseEffect[] = state.is === "begun" ? [{ do: "tell-end", answer: "broke" }] : []
      return {
        state: over,
        effects: [{ do: "begin" }, ...told, { do: "reject", error: change.error }, { do: "give-back" }],
      }
    }
    default:
      return unreachable(change)
  }
}

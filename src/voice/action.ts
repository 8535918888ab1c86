// What a voice can ask for: the same few things as the page's buttons.
import type { MoveResult } from "../model/move/moved.ts"

export type VoiceAction =
  | { do: "converse"; text: string }
  | { do: "go_back"; rounds: number }
  | { do: "redo" }
  | { do: "stop" }
  | { do: "approve"; yes: boolean }

/** The result. `say`: a sentence for the person, whether it was done or refused. */
export interface VoiceAnswer {
  ok: boolean
  say: string
  /** The result of a move, as a button would get it. */
  moved?: MoveResult
}

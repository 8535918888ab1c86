// What one turn carries from step to step, and how it ends.
import type { ContextMessage } from "../history/context/message.ts"
import type { Row } from "../history/tree/tree.ts"
import type { Advice } from "../model/failure/failure.ts"
import type { EntryId } from "../model/id.ts"
import type { Turn } from "../session/state/turn.ts"
import type { makeBacktrackOffer } from "./backtrack-offer.ts"
import type { ContextSize } from "./window/context-size.ts"

export type TurnOutcome =
  | { outcome: "done"; entry: EntryId; text: string }
  /** `visible`: the person had seen some of the answer; if not, the prompt can be withdrawn. */
  | { outcome: "stopped"; entry: EntryId | null; visible: boolean }
  | { outcome: "failed"; entry: EntryId | null; message: string; advice: Advice }

/** What one turn carries from step to step. */
export interface Round {
  turn: Turn
  prompt: EntryId
  signal: AbortSignal
  visible: boolean
  /** What the model sees at a head of this turn: each step adds only what is new. */
  context: (head: Row) => ContextMessage[]
  /** Its size, computed likewise. */
  size: (head: Row) => ContextSize
  /** What the next checkpoint says about going back. */
  offer: ReturnType<typeof makeBacktrackOffer>
  /** A summary failed at the threshold: reported once, and not tried again in this turn. */
  compactionFailed: boolean
  emptyAnswers: number
  /** How many compactions in a row were made because a provider refused a request as too long. */
  overflows: number
}

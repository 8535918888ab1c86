// What turns report while a message is on its way: which entry belongs to which turn, and how they ended.
import type { HostEvent } from "../../protocol/event.ts"
import type { SendAnswer, SessionContents } from "../../protocol/host.ts"
import { lastWords, type TurnEnd } from "./message-end.ts"

interface TurnEnded {
  event: TurnEnd
  /** The model's last text when it ended. Another turn may begin soon after. */
  text: string
}

export interface FollowedTurns {
  follow(event: HostEvent, turn: number): void
  /** The turn of the entry in this answer. Undefined: it has none, or no turn reported it. */
  withEntry(answer: SendAnswer): number | undefined
  /** Undefined: it has not ended. */
  known(turn: number): TurnEnded | undefined
  /** Contract: resolves when it has ended, which may be long ago. */
  end(turn: number): Promise<TurnEnded>
}

export function followTurns(session: SessionContents): FollowedTurns {
  const turnOf = new Map<string, number>()
  const ends = new Map<number, TurnEnded>()
  const waiting = new Map<number, (end: TurnEnded) => void>()
  return {
    follow(event, turn) {
      if (event.type === "turn-start" || event.type === "steer-given") turnOf.set(event.entry, turn)
      if (event.type !== "turn-end") return
      const end = { event, text: lastWords(session) }
      ends.set(turn, end)
      waiting.get(turn)?.(end)
    },
    withEntry: (answer) => ("entry" in answer && answer.entry !== null ? turnOf.get(answer.entry) : undefined),
    known: (turn) => ends.get(turn),
    end: async (turn) => ends.get(turn) ?? new Promise<TurnEnded>((settle) => waiting.set(turn, settle)),
  }
}

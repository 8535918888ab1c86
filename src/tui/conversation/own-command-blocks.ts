// The person's own commands (`!`): below the conversation while they run, during a turn or without one. As in the log,
// what they did comes after the turn during which they ran.
import { type HostEvent, OWN_COMMAND } from "../../protocol/event.ts"
import type { Theme } from "../terminal/theme.ts"
import type { FoldedTexts } from "./block.ts"
import { type ToolBlock, toolBlock } from "./tool-block.ts"
import type { Transcript } from "./transcript.ts"

interface OwnCommandBlocksDeps {
  transcript: Transcript
  theme: Theme
  folded: FoldedTexts
  /** How many rows the log has so far. */
  size: () => number
  now: () => number
}

interface Running {
  block: ToolBlock
  place: (row: number) => void
  ended: boolean
  /** When it was started. */
  since: number
}

export interface OwnCommandBlocks {
  /** Returns whether the event is about the person's own command. */
  start(event: Extract<HostEvent, { type: "tool-start" }>): boolean
  output(call: string, text: string): void
  end(event: Extract<HostEvent, { type: "tool-end" }>): boolean
  turn(running: boolean): void
}

export function ownCommandBlocks({ transcript, theme, folded, size, now }: OwnCommandBlocksDeps): OwnCommandBlocks {
  const running = new Map<string, Running>()
  let inTurn = false

  function settle(): void {
    if (inTurn) return
    for (const [call, { place, ended }] of running) {
      if (!ended) continue
      running.delete(call)
      place(size())
    }
  }

  return {
    start(event) {
      if (event.name !== OWN_COMMAND) return false
      const block = toolBlock(theme, folded, event)
      running.set(event.call, { block, place: transcript.pin(block), ended: false, since: now() })
      return true
    },
    output: (call, text) => running.get(call)?.block.output(text),
    end(event) {
      const own = running.get(event.call)
      if (own === undefined) return false
      own.block.end({ ...event, took: now() - own.since })
      own.ended = true
      settle()
      return true
    },
    turn(runs) {
      inTurn = runs
      settle()
    },
  }
}

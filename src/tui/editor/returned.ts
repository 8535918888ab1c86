// What was sent and comes back: into the editor, in the order in which it was sent, before what stands there.
import type { PromptInput } from "../../protocol/host.ts"
import type { PromptEditor } from "./editor.ts"
import { joinInputs } from "./pastes.ts"

export interface Returned {
  /** Something is sent; answers how to give it back. Contract: the order in which things come back does not matter. */
  sent(): (input: PromptInput) => void
  /** A prompt that a move gives back, before what came back just now. False when the person's own draft stands there. */
  join(prompt: PromptInput): boolean
  /** A move after which that prompt stands in the conversation again: what came back with it stays. */
  part(): void
}

/** Before all that was sent. */
const JOINED = 0

export function makeReturned(editor: PromptEditor): Returned {
  let count = 0
  let back: { at: number; input: PromptInput }[] = []
  let draft: PromptInput | undefined
  /** What the editor held when this was last done: typed on, it is the person's draft. */
  let shown: string | undefined

  const untouched = () => shown !== undefined && editor.text === shown && shown !== ""

  function fill(): void {
    const all = back.map(({ input }) => input)
    editor.keep(joinInputs(draft === undefined ? all : [...all, draft]))
    shown = editor.text
  }

  return {
    sent() {
      const at = ++count
      return (input) => {
        if (!untouched()) {
          back = []
          draft = editor.own ? editor.input : undefined
        }
        back = [...back, { at, input }].sort((a, b) => a.at - b.at)
        fill()
      }
    },
    join(prompt) {
      if (!untouched() || draft !== undefined) return false
      back = [{ at: JOINED, input: prompt }, ...back.filter(({ at }) => at !== JOINED)]
      fill()
      return true
    },
    part() {
      if (!untouched() || !back.some(({ at }) => at === JOINED)) return
      back = back.filter(({ at }) => at !== JOINED)
      fill()
    },
  }
}

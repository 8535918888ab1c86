// What was sent and comes back goes into the editor in the order in which it was sent, before the text already there.
import type { PromptInput } from "../../protocol/host.ts"
import { joinInputs } from "../../protocol/join-inputs.ts"
import type { PromptEditor } from "./editor.ts"

export interface ReturnedInput {
  /** Something is sent; returns how to give it back. Contract: things may come back in any order. */
  sent(): (input: PromptInput) => void
  /** Puts a prompt that a move gives back before what just came back. False if the person's own draft is there. */
  join(prompt: PromptInput): boolean
  /** After a move, that prompt is in the conversation again: removes it, and keeps what came back with it. */
  part(): void
}

/** Comes before everything that was sent. */
const JOINED = 0

export function makeReturnedInput(editor: PromptEditor): ReturnedInput {
  let count = 0
  let back: { at: number; input: PromptInput }[] = []
  let draft: PromptInput | undefined
  /** The editor's text when this last filled it: once edited, it is the person's draft. */
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

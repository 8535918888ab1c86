// "No, because…": the editor takes the reason; an existing draft waits until the question is answered.
import type { PromptInput } from "../../protocol/host.ts"
import { joinInputs } from "../../protocol/join-inputs.ts"
import type { PromptEditor } from "../editor/editor.ts"

export interface Reason {
  /** The question being answered; undefined if there is none. */
  readonly approval: string | undefined
  ask(approval: string): void
  /** Answered, or back to the question: puts the draft back into the editor. */
  end(): void
  /** The question was withdrawn: nothing that was typed is lost. */
  withdraw(approval: string): void
}

export function makeReason(editor: PromptEditor): Reason {
  let asked: { approval: string; draft: PromptInput | undefined } | undefined
  return {
    get approval() {
      return asked?.approval
    },
    ask(approval) {
      asked = { approval, draft: editor.empty ? undefined : editor.input }
      editor.clear()
    },
    end() {
      const draft = asked?.draft
      asked = undefined
      if (draft !== undefined) editor.keep(draft)
    },
    withdraw(approval) {
      if (asked?.approval !== approval) return
      const { draft } = asked
      asked = undefined
      if (draft !== undefined && editor.empty) editor.keep(draft)
      else if (draft !== undefined) editor.keep(joinInputs([draft, editor.input]))
    },
  }
}

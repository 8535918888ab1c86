// Lines that were typed but not sent: a stopped turn gives them back, and /send sends them again.
import type { PromptInput } from "../../protocol/host.ts"

export interface PlainUnsent {
  /** The turn was stopped before the agent got it. */
  cameBack(input: PromptInput): void
  /** Lines that were not finished. */
  began(text: string): void
  /** A draft from the last time. */
  found(draft: PromptInput | undefined): void
  /** Takes all of it, to send now. */
  take(): string | undefined
  readonly input: PromptInput | undefined
}

export function makeUnsent(say: (text: string) => void): PlainUnsent {
  let texts: string[] = []
  return {
    cameBack({ text }) {
      texts.push(text)
      say(`Not sent: ${text}\nSend it with: /send`)
    },
    began: (text) => void texts.push(text),
    found(draft) {
      if (draft === undefined) return
      texts.unshift(draft.text)
      say(`You had not sent this when you left: ${draft.text}\nSend it with: /send`)
    },
    take() {
      const text = texts.length === 0 ? undefined : texts.join("\n")
      texts = []
      return text
    },
    get input() {
      return texts.length === 0 ? undefined : { text: texts.join("\n") }
    },
  }
}

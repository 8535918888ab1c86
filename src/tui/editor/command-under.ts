// A command typed under a draft, or right after text that came back: it runs, and the draft stays.
import type { PromptInput } from "../../protocol/host.ts"

export interface CommandUnder {
  draft: PromptInput
  /** Whether the draft is still verbatim what came back. */
  given: boolean
  command: string
}

/**
 * With or without a space before it. A path (`src/model/record/part.ts`) is not a command: it continues after the name.
 */
const BEHIND = /^\s*(\/([a-z]+)(?:[ \t][^\n]*)?)\s*$/
const ON_ITS_LINE = /\n[ \t]*(\/([a-z]+)(?:[ \t][^\n]*)?)\s*$/

/** Undefined if all of it should be sent. */
export function commandUnder(
  input: PromptInput,
  given: string,
  isCommand: (name: string) => boolean,
): CommandUnder | undefined {
  const shown = input.display ?? input.text
  const came = given.trim()
  const behind = came !== "" && shown.startsWith(came) ? BEHIND.exec(shown.slice(came.length)) : null
  if (behind?.[1] !== undefined && isCommand(behind[2] ?? ""))
    return { draft: without(input, behind[0]), given: true, command: behind[1] }
  const below = ON_ITS_LINE.exec(shown)
  if (below?.[1] === undefined || !isCommand(below[2] ?? "")) return undefined
  const draft = without(input, below[0])
  return { draft, given: (draft.display ?? draft.text) === came, command: below[1] }
}

/** A command has no placeholder, so what was typed and what is sent end with the same words. */
function without(input: PromptInput, end: string): PromptInput {
  const cut = (text: string) => text.slice(0, text.length - end.length)
  return { ...input, text: cut(input.text), ...(input.display === undefined ? {} : { display: cut(input.display) }) }
}

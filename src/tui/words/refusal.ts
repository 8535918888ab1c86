// Why something was refused, and what to do now: in commands of the terminal, where the shell has others.
import type { Failure } from "../../model/failure/failure.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"

const HERE: readonly (readonly [RegExp, string])[] = [
  [/retcon log(?: --all)?/g, "/tree"],
  [/retcon ls(?: --all)?/g, "/resume"],
  [/retcon ops/g, "/tree, then o"],
  [/--model\b/g, "/model"],
  [/retcon (goto|split|doctor|undo|redo)\b/g, "/$1"],
]

export function refusal(failure: Failure): { message: string; hint: string } {
  const { message, hint } = wordsFor(failure)
  // Here the choice is a key, and it was not taken.
  if (failure.code === "conflicts")
    return { message, hint: "Do it again to choose: keep yours, put the old back, or write both." }
  return { message, hint: typedHere(hint) }
}

/** For where there is one place to say it. */
export function refusalText(failure: Failure): string {
  const { message, hint } = refusal(failure)
  return hint === "" ? message : `${message} ${hint}`
}

/** Advice for the shell, as it can be followed in the terminal. */
export function typedHere(hint: string): string {
  return HERE.reduce((text, [shell, here]) => text.replace(shell, here), hint)
}

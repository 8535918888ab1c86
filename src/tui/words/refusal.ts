// Why something was refused, and what to do now in the terminal.
import type { Failure } from "../../model/failure/failure.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { terminalAdvice } from "./advice-words.ts"

export function refusal(failure: Failure): { message: string; hint: string } {
  const { message, advice } = wordsFor(failure)
  return { message, hint: terminalAdvice(advice) }
}

/** For when there is only one line for it. */
export function refusalText(failure: Failure): string {
  const { message, hint } = refusal(failure)
  return hint === "" ? message : `${message} ${hint}`
}

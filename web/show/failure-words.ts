// Why something was refused, and what to do about it on the page.
import { adviceText, type Failure } from "../../src/model/failure/failure.ts"
import { wordsFor } from "../../src/model/failure/failure-words.ts"
import { pageStep } from "./advice.ts"

export function failureWords(failure: Failure): { message: string; hint: string } {
  const { message, advice } = wordsFor(failure)
  return { message, hint: adviceText(advice, pageStep) }
}

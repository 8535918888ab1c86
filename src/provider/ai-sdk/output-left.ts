// Anthropic counts the allowed output against the window, used or not, and refuses a request if both do not fit.
import type { ModelProblem } from "../port/port.ts"

/** "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000" */
const TOGETHER = /exceed context limit: (\d+) \+ (\d+) > (\d+)/
/** With less than this left, an answer is not worth starting: the conversation is too long. */
const LEAST = 2_000

/** The output to allow instead; undefined if the refusal is about something else, or too little is left. */
export function outputLeft({ kind, message }: ModelProblem): number | undefined {
  if (kind !== "overflow") return undefined
  const [, input, asked, window] = (TOGETHER.exec(message) ?? []).map(Number)
  if (input === undefined || asked === undefined || window === undefined) return undefined
  const left = window - input
  return left >= LEAST && left < asked ? left : undefined
}

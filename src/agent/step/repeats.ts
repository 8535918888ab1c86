// Recognises a model that makes the same calls again and again, from what it sees since the last prompt. Pure.
import { isDeepStrictEqual } from "node:util"
import type { Json } from "../../model/json.ts"
import type { ModelMessage } from "../../provider/port/port.ts"

interface MadeCall {
  name: string
  input: Json
}

export interface EarlierCall extends MadeCall {
  /** Undefined: unknown, or refused; equal to any other. */
  output: string | undefined
  refused: boolean
}

const REPEATED = "Refused: this is the same call as before, and it would tell you nothing new."
/** The n-th same call with the same results is refused, and the n-th same call whatever its results. */
const SAME_RESULTS = 5
const ANY_RESULTS = 12
/** The longest cycle of calls that is recognised. */
const LONGEST_CYCLE = 4
const MOST_CALLS = ANY_RESULTS * LONGEST_CYCLE

export const refusal = (times: number) =>
  `${REPEATED} It would be the ${times}th time in a row. Do something else, or say what you are missing and end.`

/** The newest calls since the last message of a person, in order: as many as can matter. */
export function callsSincePrompt(messages: readonly ModelMessage[]): EarlierCall[] {
  const outputs = new Map<string, string>()
  const calls: EarlierCall[] = []
  for (let i = messages.length - 1; i >= 0 && calls.length < MOST_CALLS; i--) {
    const message = messages[i] as ModelMessage
    if (message.role === "user") break
    for (const part of message.content.toReversed()) {
      if (part.type === "tool-result" && typeof part.output === "string") outputs.set(part.call, part.output)
      if (part.type === "tool-call") calls.push(earlierCall(part, outputs.get(part.call)))
    }
  }
  return calls.reverse()
}

function earlierCall({ name, input }: MadeCall, output: string | undefined): EarlierCall {
  const refused = output?.startsWith(REPEATED) === true
  return { name, input, output: refused ? undefined : output, refused }
}

export type Repetition =
  | "no"
  | { times: number /** It was refused before: the model does not listen. */; again: boolean }

/** Whether `call`, made after the earlier ones, continues a cycle that leads nowhere. */
export function repetition(earlier: readonly EarlierCall[], call: MadeCall): Repetition {
  const again = () => earlier.some((each) => each.refused && isSame(each, call))
  for (let period = 1; period <= LONGEST_CYCLE; period++) {
    const strict = times(earlier, call, period, sameResult)
    if (strict >= SAME_RESULTS) return { times: strict, again: again() }
    const loose = times(earlier, call, period, () => true)
    if (loose >= ANY_RESULTS) return { times: loose, again: again() }
  }
  return "no"
}

function isSame(a: MadeCall, b: MadeCall): boolean {
  return a.name === b.name && isDeepStrictEqual(a.input, b.input)
}

function sameResult(a: EarlierCall, b: EarlierCall): boolean {
  return a.output === undefined || b.output === undefined || a.output === b.output
}

/** How often the same cycle of `period` calls would repeat at the end if `call` comes next. */
function times(
  earlier: readonly EarlierCall[],
  call: MadeCall,
  period: number,
  same: (a: EarlierCall, b: EarlierCall) => boolean,
): number {
  const before = earlier[earlier.length - period]
  if (before === undefined || !isSame(before, call)) return 1
  let matches = 1
  for (let i = earlier.length - 1; i >= period; i--) {
    const [a, b] = [earlier[i] as EarlierCall, earlier[i - period] as EarlierCall]
    if (!same(a, b) || !isSame(a, b)) break
    matches++
  }
  return Math.floor(matches / period) + 1
}

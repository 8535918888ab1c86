// A model that calls the same again and again: recognised from what it sees since the last prompt. Pure.
import type { Json } from "../model/json.ts"
import { isObject } from "../model/json.ts"
import type { ModelMessage } from "../provider/port.ts"

export interface EarlierCall {
  key: string
  /** Undefined: unknown, or refused; equal to any. */
  output: string | undefined
  refused: boolean
}

const REPEATED = "Refused: this is the same call as before, with nothing new to be learned from it."
/** The n-th same call with the same results is refused, and the n-th same call whatever came of it. */
const SAME_RESULTS = 5
const ANY_RESULTS = 12
/** A cycle of at most so many calls is recognised. */
const LONGEST_CYCLE = 4

export const refusal = (times: number) =>
  `${REPEATED} It would be the ${times}th time in a row. Do something else, or say what you are missing and end.`

export function callKey(name: string, input: Json): string {
  return `${name} ${stable(input)}`
}

function stable(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(stable).join()}]`
  if (!isObject(value)) return JSON.stringify(value) ?? "null"
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stable(value[key] as Json)}`)
    .join()}}`
}

/** The calls since the last message of a person, in order. */
export function callsSincePrompt(messages: readonly ModelMessage[]): EarlierCall[] {
  const from = messages.findLastIndex((message) => message.role === "user") + 1
  const outputs = new Map<string, string>()
  const calls: { call: string; key: string }[] = []
  for (const message of messages.slice(from)) {
    for (const part of message.content) {
      if (part.type === "tool-call") calls.push({ call: part.call, key: callKey(part.name, part.input) })
      if (part.type === "tool-result" && typeof part.output === "string") outputs.set(part.call, part.output)
    }
  }
  return calls.map(({ call, key }) => {
    const output = outputs.get(call)
    const refused = output?.startsWith(REPEATED) === true
    return { key, output: refused ? undefined : output, refused }
  })
}

export type Repetition =
  | "no"
  | { times: number /** It was refused before: the model does not listen. */; again: boolean }

export function repetition(earlier: readonly EarlierCall[], key: string): Repetition {
  const again = earlier.some((call) => call.refused && call.key === key)
  for (let period = 1; period <= LONGEST_CYCLE; period++) {
    const strict = times(earlier, key, period, sameResult)
    if (strict >= SAME_RESULTS) return { times: strict, again }
    const loose = times(earlier, key, period, () => true)
    if (loose >= ANY_RESULTS) return { times: loose, again }
  }
  return "no"
}

function sameResult(a: EarlierCall, b: EarlierCall): boolean {
  return a.output === undefined || b.output === undefined || a.output === b.output
}

/** How often the calls end in the same cycle of `period` calls, if `key` comes next. */
function times(
  earlier: readonly EarlierCall[],
  key: string,
  period: number,
  same: (a: EarlierCall, b: EarlierCall) => boolean,
): number {
  if (earlier[earlier.length - period]?.key !== key) return 1
  let matches = 1
  for (let i = earlier.length - 1; i >= period; i--) {
    const [a, b] = [earlier[i] as EarlierCall, earlier[i - period] as EarlierCall]
    if (a.key !== b.key || !same(a, b)) break
    matches++
  }
  return Math.floor(matches / period) + 1
}

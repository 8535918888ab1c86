// All calls of one answer: reads run in parallel, calls that change something alone and in order; results come in the
// order of the calls.
import { isDeepStrictEqual } from "node:util"
import type { Json, JsonObject } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"
import type { ModelMessage } from "../../provider/port/port.ts"
import { type BacktrackRequest, failure, type ToolResult } from "../port/tool.ts"
import type { AnswerCall, ReadyCall } from "./call.ts"
import { isReady, notStarted, prepare, runCall } from "./run-call.ts"
import type { StepContext } from "./step-context.ts"

export interface CallsRun {
  /** One per call, in order. */
  results: Part[]
  state: JsonObject
  backtrack?: BacktrackRequest & { call: string }
  /** The model repeats a call that was refused for being repeated. */
  repeating: boolean
}

type Prepared = { call: AnswerCall; work: ReadyCall | ToolResult }

export async function runCalls(calls: readonly AnswerCall[], context: StepContext): Promise<CallsRun> {
  const { prepared, repeating } = prepareAll(calls, context)
  const results = new Map<Prepared, ToolResult>()
  const run = async (each: Prepared) => {
    const result = isReady(each.work) ? await runCall(each.work, context) : each.work
    results.set(each, result)
    const { output, error, media } = result
    const end = { call: each.call.call, name: each.call.name, output, error: error === true }
    context.emit({ type: "tool-end", ...end, ...(media === undefined ? {} : { media }) })
  }
  for (const batch of batches(prepared)) await atMost(context.parallel, batch, run)
  return collect(
    prepared.map((each) => ({ call: each.call, result: results.get(each) ?? notStarted() })),
    repeating,
  )
}

function prepareAll(calls: readonly AnswerCall[], context: StepContext): { prepared: Prepared[]; repeating: boolean } {
  const earlier = callsSincePrompt(context.messages)
  let repeating = false
  const prepared = calls.map((call): Prepared => {
    const repeated = repetition(earlier, call)
    earlier.push({ name: call.name, input: call.input, output: undefined, refused: false })
    if (repeated === "no") return { call, work: prepare(call, context) }
    repeating ||= repeated.again
    return { call, work: failure(refusal(repeated.times)) }
  })
  return { prepared, repeating }
}

/** Adjacent reads together, everything else by itself. */
function batches(prepared: readonly Prepared[]): Prepared[][] {
  const found: Prepared[][] = []
  let reads: Prepared[] | undefined
  for (const each of prepared) {
    const alone = isReady(each.work) && each.work.effects.effect !== "reads"
    if (alone || reads === undefined) found.push([each])
    else reads.push(each)
    reads = alone ? undefined : found.at(-1)
  }
  return found
}

/** Contract: all have ended when this settles, even if one rejects. */
async function atMost<Item>(most: number, items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items]
  const problems: unknown[] = []
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await work(item).catch((error: unknown) => problems.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
  if (problems.length > 0) throw problems[0]
}

function collect(ended: readonly { call: AnswerCall; result: ToolResult }[], repeating: boolean): CallsRun {
  const run: CallsRun = { results: [], state: {}, repeating }
  for (const { call, result } of ended) {
    const second = result.backtrack !== undefined && run.backtrack !== undefined
    const { output, error, media, state, backtrack } = second ? failure(ONE_BACKTRACK) : result
    run.results.push({
      type: "tool-result",
      call: call.call,
      name: call.name,
      output,
      ...(error === undefined ? {} : { error }),
      ...(media === undefined ? {} : { media }),
    })
    Object.assign(run.state, state)
    if (backtrack !== undefined) run.backtrack = { ...backtrack, call: call.call }
  }
  return run
}

const ONE_BACKTRACK = "Refused: another Backtrack of this step is pending, and there is only one per step."

interface MadeCall {
  name: string
  input: Json
}

interface EarlierCall extends MadeCall {
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

/** Recognises a model that makes the same calls again and again, from what it sees since the last prompt. Pure. */
const refusal = (times: number) =>
  `${REPEATED} It would be the ${times}th time in a row. Do something else, or say what you are missing and end.`

/** The newest calls since the last message of a person, in order: as many as can matter. */
function callsSincePrompt(messages: readonly ModelMessage[]): EarlierCall[] {
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

type Repetition = "no" | { times: number /** It was refused before: the model does not listen. */; again: boolean }

/** Whether `call`, made after the earlier ones, continues a cycle that leads nowhere. */
function repetition(earlier: readonly EarlierCall[], call: MadeCall): Repetition {
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

// All calls of one answer: reads run in parallel, calls that change something alone and in order; results come in the
// order of the calls.
import type { JsonObject } from "../../model/json.ts"
import type { Part } from "../../model/record/part.ts"
import { type BacktrackRequest, failure, type ToolResult } from "../port/tool.ts"
import type { AnswerCall, ReadyCall } from "./call.ts"
import { callsSincePrompt, refusal, repetition } from "./repeats.ts"
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

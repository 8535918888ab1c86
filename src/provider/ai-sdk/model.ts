// A model behind the port, by way of the AI SDK: one step is one streamed request, tried again when that may help.
import type { JsonObject } from "../../model/json.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { ModelFacts } from "../models.ts"
import type { Model, ModelEvent, ModelMessage, ModelProblem, StepRequest } from "../port.ts"
import type { Timing } from "../timing.ts"
import { Answer } from "./answer.ts"
import { withCacheMarks } from "./cache-marks.ts"
import { ABORTED, cutOff, type Failed, failedBy } from "./problem.ts"
import { promptOf } from "./prompt.ts"
import { RETRY_POLICY, type RetryPolicy, waitBefore } from "./retry.ts"
import { type CallOptions, type Endpoint, languageModel, type ProviderOptions, type StreamPart } from "./sdk.ts"
import { type Cut, Watch } from "./watch.ts"
import { type Fetch, wireFetch } from "./wire.ts"

export interface SdkModelOptions {
  endpoint: Endpoint
  facts: ModelFacts
  fetch: Fetch
  timing: Timing
  /** Without a byte for this long, an answer has stalled. Reasoning may be silent for minutes. */
  stallMs?: number
  retry?: Partial<RetryPolicy>
  /** Options of the provider's own, as the SDK names them. */
  options?: JsonObject
}

const STALL_MS = 300_000
/** Anthropic counts the output that is allowed against the window, used or not. */
const ANTHROPIC_OUTPUT = 32_000

export function sdkModel(options: SdkModelOptions): Model {
  const { endpoint, facts } = options
  return {
    id: `${endpoint.provider}/${endpoint.name}`,
    window: facts.window,
    maxOutput: facts.maxOutput,
    ...(facts.price !== undefined && { price: facts.price }),
    step: (request) => stepEvents(request, options),
  }
}

async function* stepEvents(request: StepRequest, options: SdkModelOptions): AsyncGenerator<ModelEvent> {
  const policy = { ...RETRY_POLICY, ...options.retry }
  for (let attempt = 1; ; attempt++) {
    const failed = yield* attemptEvents(request, options)
    if (failed === undefined) return
    const waitMs = waitBefore(failed, attempt, policy, options.timing)
    if (waitMs === undefined) return yield { type: "failed", problem: failed.problem }
    yield { type: "retry", attempt, waitMs, problem: failed.problem.message }
    await options.timing.sleep(waitMs, request.signal)
    if (request.signal.aborted) return yield { type: "failed", problem: ABORTED }
  }
}

/** Yields the events of one attempt, `finish` included; returns what failed, if it did. */
async function* attemptEvents(
  request: StepRequest,
  options: SdkModelOptions,
): AsyncGenerator<ModelEvent, Failed | undefined> {
  const { endpoint, timing } = options
  const stallMs = options.stallMs ?? STALL_MS
  const watch = new Watch(request.signal, stallMs, timing)
  const answer = new Answer(endpoint.provider, callsOf(request.messages))
  const cut = watch.cut.then((why) => ({ why }))
  let during: "request" | "answer" = "request"
  try {
    const opened = await Promise.race([quietly(open(request, options, watch)), cut])
    if ("why" in opened) return wasCut(opened.why, endpoint.provider, stallMs)
    during = "answer"
    const reader = opened.getReader()
    while (answer.error === undefined) {
      const read = await Promise.race([quietly(reader.read()), cut])
      if ("why" in read) return yield* withClosed(answer, wasCut(read.why, endpoint.provider, stallMs))
      if (read.done) break
      yield* answer.add(read.value)
    }
  } catch (error) {
    return yield* withClosed(answer, request.signal.aborted ? certain(ABORTED) : failedBy(error, endpoint, during))
  } finally {
    watch.end()
  }
  if (answer.error !== undefined) return yield* withClosed(answer, failedBy(answer.error, endpoint, during))
  const { finish } = answer
  if (finish === undefined || isMadeUp(finish)) return yield* withClosed(answer, cutOff(endpoint))
  yield* answer.end(finish)
  return undefined
}

/** The SDK ends every stream with a finish, also one that the provider broke off: that one has no reason. */
function isMadeUp({ finishReason }: Extract<StreamPart, { type: "finish" }>): boolean {
  return finishReason.unified === "other" && finishReason.raw === undefined
}

async function open(request: StepRequest, options: SdkModelOptions, watch: Watch): Promise<ReadableStream<StreamPart>> {
  const { endpoint, timing } = options
  const fetch = wireFetch(options.fetch, endpoint, () => watch.sawBytes())
  const newId = () => `call_${timing.random().toString(36).slice(2, 12)}`
  const model = await languageModel(endpoint, fetch, newId)
  const { stream } = await model.doStream({ ...callOptions(request, options), abortSignal: watch.signal })
  return stream
}

function callOptions(request: StepRequest, { endpoint, facts, options }: SdkModelOptions): CallOptions {
  const images = facts.images !== false
  const prompt = promptOf(request.messages, { provider: endpoint.provider, kind: endpoint.kind, images })
  const maxOutputTokens =
    request.maxOutputTokens ??
    (endpoint.kind === "anthropic" ? Math.min(facts.maxOutput ?? ANTHROPIC_OUTPUT, ANTHROPIC_OUTPUT) : undefined)
  return {
    prompt: endpoint.kind === "anthropic" ? withCacheMarks(prompt) : prompt,
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, input }) => ({
        type: "function",
        name,
        description,
        inputSchema: input,
      })),
      toolChoice: { type: "auto" },
    }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    providerOptions: providerOptions(endpoint, options),
  }
}

/** Nothing is kept at OpenAI: what it wants back travels with the conversation. Inputs of tools come whole anyway. */
function providerOptions(endpoint: Endpoint, own: JsonObject = {}): ProviderOptions {
  switch (endpoint.kind) {
    case "anthropic":
      return { anthropic: { toolStreaming: false, ...own } }
    case "openai":
      return endpoint.api === "responses"
        ? { openai: { store: false, include: ["reasoning.encrypted_content"], ...own } }
        : { openai: own }
    case "google":
      return { google: own }
    case "openai-compatible":
      return { [endpoint.provider]: own }
    default:
      return unreachable(endpoint.kind)
  }
}

async function* withClosed(answer: Answer, failed: Failed): AsyncGenerator<ModelEvent, Failed> {
  yield* answer.close()
  return failed
}

function wasCut(why: Cut, provider: string, stallMs: number): Failed {
  if (why === "aborted") return certain(ABORTED)
  const seconds = Math.round(stallMs / 1_000)
  return certain({ kind: "stalled", message: `${provider} sent nothing for ${seconds} seconds.` })
}

function certain(problem: ModelProblem): Failed {
  return { problem, again: false, headers: {}, detail: {} }
}

/** When the attempt is cut short nobody waits for this any more; its late failure is then nobody's. */
function quietly<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch((error: unknown) => error)
  return promise
}

function callsOf(messages: readonly ModelMessage[]): ReadonlySet<string> {
  const calls = messages.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "tool-call" ? [part.call] : [])),
  )
  return new Set(calls)
}

// A model behind the port, through the AI SDK: one step is one streamed request, retried if that may help.
import { type JsonObject, parseJson } from "../../model/json.ts"
import type { ThinkingLevel } from "../../model/thinking.ts"
import type { Trace } from "../../model/trace.ts"
import type { ModelFacts } from "../catalogue/model-facts.ts"
import type { Model, ModelEvent, ModelMessage, ModelProblem, StepRequest } from "../port/port.ts"
import type { Timing } from "../port/timing.ts"
import { AnswerBuilder } from "./answer-builder.ts"
import { Ignored } from "./known-events.ts"
import { ABORTED, cutOff, type Failed, failedBy, windowFull } from "./provider-error.ts"
import { leaveOut, nothingRefused, type Refused } from "./refused.ts"
import { askedWait, RETRY_POLICY, type RetryPolicy, waitBefore } from "./retry.ts"
import { type CallOptions, type Endpoint, languageModel, type StreamPart } from "./sdk.ts"
import { callFor } from "./sdk-call.ts"
import { type Cut, Watch } from "./stall-watch.ts"
import { type Fetch, wireFetch } from "./wire.ts"

export interface SdkModelOptions {
  endpoint: Endpoint
  facts: ModelFacts
  fetch: Fetch
  timing: Timing
  /** If no byte arrives for this long, the answer has stalled. Reasoning may be silent for minutes. */
  stallMs?: number
  retry?: Partial<RetryPolicy>
  /** The provider's own options, under the SDK's names. */
  options?: JsonObject
  /** The configured thinking level. */
  thinking?: ThinkingLevel
  /** Receives what goes over the wire, and the outcome. */
  trace?: Trace
}

const STALL_MS = 300_000

export function sdkModel(options: SdkModelOptions): Model {
  const { endpoint, facts } = options
  const refused = nothingRefused()
  return {
    id: `${endpoint.provider}/${endpoint.name}`,
    window: facts.window,
    maxOutput: facts.maxOutput,
    ...(facts.price !== undefined && { price: facts.price }),
    step: (request) => stepEvents(request, options, refused),
  }
}

async function* stepEvents(asked: StepRequest, options: SdkModelOptions, refused: Refused): AsyncGenerator<ModelEvent> {
  const policy = { ...RETRY_POLICY, ...options.retry }
  let request = asked
  for (let attempt = 1; ; attempt++) {
    const failed = yield* attemptEvents(request, options, refused)
    if (failed === undefined) return
    const { kind, message } = failed.problem
    options.trace?.({ type: "failed", attempt, kind, message, mayHelp: failed.again })
    const left = outputLeft(failed.problem)
    if (left !== undefined && left < (request.maxOutputTokens ?? Number.POSITIVE_INFINITY)) {
      options.trace?.({ type: "output-limit", tokens: left })
      request = { ...asked, maxOutputTokens: left }
      attempt--
      continue
    }
    const without = leaveOut(failed.problem, request, options.endpoint, refused)
    if (without !== undefined) {
      options.trace?.({ type: "left-out", text: without })
      yield { type: "notice", text: without }
      attempt--
      continue
    }
    const waitMs = waitBefore(failed, attempt, policy, options.timing)
    if (waitMs === undefined) {
      const asked = askedWait(failed, options.timing.now()) ?? 0
      const isLong = failed.again && asked > policy.longestAskedMs
      return yield { type: "failed", problem: { ...failed.problem, ...(isLong && { waitMs: asked }) } }
    }
    options.trace?.({ type: "retry", attempt, waitMs })
    yield { type: "retry", attempt, waitMs, problem: failed.problem.message }
    await options.timing.sleep(waitMs, request.signal)
    if (request.signal.aborted) return yield { type: "failed", problem: ABORTED }
  }
}

/** Yields the events of one attempt, including `finish`; returns the failure, if any. */
async function* attemptEvents(
  request: StepRequest,
  options: SdkModelOptions,
  refused: Refused,
): AsyncGenerator<ModelEvent, Failed | undefined> {
  const { endpoint, timing } = options
  const stallMs = options.stallMs ?? STALL_MS
  const watch = new Watch(request.signal, stallMs, timing)
  const answer = new AnswerBuilder(endpoint.provider, callsOf(request.messages))
  const cut = watch.cut.then((why) => ({ why }))
  const ignored = new Ignored()
  let during: "request" | "answer" = "request"
  const { call, notices } = callFor(request, options, refused)
  yield* once(notices, refused)
  try {
    const opened = await Promise.race([quietly(open(call, options, watch, ignored)), cut])
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
  if (isWindowFull(finish)) return yield* withClosed(answer, windowFull(endpoint))
  const words = ignored.words(endpoint.provider)
  const { unified, raw } = finish.finishReason
  options.trace?.({ type: "answer", reason: unified, stopReason: raw ?? null, ignored: words })
  yield* once(words, refused)
  yield* answer.end(finish)
  return undefined
}

/** Each notice only once, not with every step. */
function* once(texts: readonly string[], { told }: Refused): Generator<ModelEvent> {
  for (const text of texts) {
    if (told.has(text)) continue
    told.add(text)
    yield { type: "notice", text }
  }
}

/** The SDK ends every stream with a finish, even one that the provider broke off: that finish has no reason. */
function isMadeUp({ finishReason }: Extract<StreamPart, { type: "finish" }>): boolean {
  return finishReason.unified === "other" && finishReason.raw === undefined
}

/** How Anthropic ends an answer that would exceed the window: what came is cut off, as by an overflow. */
function isWindowFull({ finishReason }: Extract<StreamPart, { type: "finish" }>): boolean {
  return finishReason.raw === "model_context_window_exceeded"
}

async function open(
  call: CallOptions,
  options: SdkModelOptions,
  watch: Watch,
  ignored: Ignored,
): Promise<ReadableStream<StreamPart>> {
  const { endpoint, timing } = options
  const sent = options.trace === undefined ? options.fetch : tracedFetch(options.fetch, options.trace)
  const fetch = wireFetch(sent, endpoint, {
    bytes: () => watch.sawBytes(),
    ignored: (what) => ignored.add(what),
  })
  const newId = () => `call_${timing.random().toString(36).slice(2, 12)}`
  const model = await languageModel(endpoint, fetch, newId)
  const { stream } = await model.doStream({ ...call, abortSignal: watch.signal })
  return stream
}

async function* withClosed(answer: AnswerBuilder, failed: Failed): AsyncGenerator<ModelEvent, Failed> {
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

/** If the attempt is cut short nobody waits for this promise; its late rejection is then ignored. */
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

/** "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000" */
const TOGETHER = /exceed context limit: (\d+) \+ (\d+) > (\d+)/
/** With less than this left, an answer is not worth starting: the conversation is too long. */
const LEAST = 2_000

/**
 * Anthropic counts the allowed output against the window, used or not, and refuses a request if both do not fit. The
 * output to allow instead; undefined if the refusal is about something else, or too little is left.
 */
export function outputLeft({ kind, message }: ModelProblem): number | undefined {
  if (kind !== "overflow") return undefined
  const [, input, asked, window] = (TOGETHER.exec(message) ?? []).map(Number)
  if (input === undefined || asked === undefined || window === undefined) return undefined
  const left = window - input
  return left >= LEAST && left < asked ? left : undefined
}

/** The SDK or retcon sets these; a header that a person configured may be a key. */
const SHOWN = /^(?:content-type|user-agent|anthropic-version|anthropic-beta|accept)$/i

/** Traces what goes over the wire: each request in full, and each response's status. Hides headers that may be keys. */
export function tracedFetch(fetch: Fetch, trace: Trace): Fetch {
  return async (url, init) => {
    const parsed = typeof init?.body === "string" ? parseJson(init.body) : undefined
    const body = parsed?.ok === true ? parsed.value : null
    trace({
      type: "request",
      url: withoutKey(url instanceof Request ? url.url : url.toString()),
      headers: headersOf(init?.headers),
      body,
    })
    try {
      const response = await fetch(url, init)
      const type = response.headers.get("content-type") ?? ""
      const text = response.ok ? {} : { text: await response.clone().text() }
      trace({ type: "response", status: response.status, contentType: type, ...text })
      return response
    } catch (error) {
      trace({ type: "response", problem: error instanceof Error ? error.message : String(error) })
      throw error
    }
  }
}

function headersOf(headers: RequestInit["headers"]): JsonObject {
  const all = [...new Headers(headers)]
  return Object.fromEntries(all.map(([name, value]) => [name, SHOWN.test(name) ? value : "[hidden]"]))
}

function withoutKey(url: string): string {
  return url.replace(/([?&]key=)[^&]*/, "$1[hidden]").replace(/\/\/[^/@]+@/, "//")
}

// One step: calls the model, then the tools it asks for. Knows no session: hooks tell the runner what to record.
import { type Part, plainText, type ToolResultPart, type Usage } from "../../model/record/record.ts"
import { partTokens } from "../../model/record/record-tokens.ts"
import { serial } from "../../model/serial.ts"
import { type CountTokens, textTokens } from "../../model/tokens.ts"
import type { FinishReason, Model, ModelMessage, ModelProblem } from "../../provider/port/port.ts"
import type { Consent } from "../permission/consent.ts"
import { limitOutput } from "../port/output.ts"
import type { Tool, WorkRoot } from "../port/tool.ts"
import type { AnswerCall } from "./call.ts"
import { maskIn } from "./mask.ts"
import { type Answered, callModel } from "./model-call.ts"
import { type CallsRun, runCalls } from "./run-calls.ts"
import type { StepContext, StepHooks } from "./step-context.ts"
import type { Emit } from "./step-events.ts"

export interface StepOptions {
  model: Model
  /** What the model sees, the system prompt first. */
  messages: readonly ModelMessage[]
  tools: readonly Tool[]
  root: WorkRoot
  /** The environment of commands. Leave out the keys of providers. */
  env: Readonly<Record<string, string>>
  consent: Consent
  signal: AbortSignal
  now: () => number
  emit: Emit
  hooks?: StepHooks
  /** The keys in use: they may not appear in any output. */
  secrets?: readonly string[]
  maxOutputTokens?: number
  /** How many reads run in parallel. */
  parallel?: number
  /** How many tokens the results of this step may take together, once the answer is there; undefined: unknown. */
  room?(usage: Usage): number | undefined
  /** Estimates the tokens of a text. */
  tokens?: CountTokens
}

interface Answer {
  content: Part[]
  reason: FinishReason
  usage: Usage
}

export type StepResult =
  | (Answer & { outcome: "ended" })
  /** Neither text nor a call. */
  | (Answer & { outcome: "empty" })
  | (Answer & CallsRun & { outcome: "called"; interrupted: boolean })
  | { outcome: "failed"; problem: ModelProblem; partial: Part[] }

const PARALLEL = 8
/** Characters of output of one step, shared by its calls. */
const STEP_OUTPUT = 400_000
/** For dense text. */
const CHARACTERS_PER_TOKEN = 3

/** Contract: rejects only with what a hook or `consent` rejected with. */
export async function step(options: StepOptions): Promise<StepResult> {
  const { model, messages, tools, signal, emit, maxOutputTokens } = options
  const specs = tools.map(({ name, description, input }) => ({ name, description, input }))
  const request = { messages, tools: specs, signal, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) }
  const answered = await callModel(model, request, emit)
  if (answered.outcome === "failed") return answered
  const { content, reason, usage } = answered
  await options.hooks?.answered?.({ content, reason, usage })
  const calls = callsOf(answered)
  if (calls.length === 0) {
    const empty = plainText(content).trim() === ""
    return { outcome: empty ? "empty" : "ended", content, reason, usage }
  }
  const room = options.room?.(usage)
  const run = await runCalls(calls, contextFor(options, calls.length, room))
  if (room !== undefined)
    run.results = await fitted(run.results, room, options.tokens ?? textTokens, options.root.scratch)
  return { outcome: "called", content, reason, usage, ...run, interrupted: signal.aborted }
}

function callsOf({ content, invalid, reason }: Extract<Answered, { outcome: "answered" }>): AnswerCall[] {
  return content.flatMap((part): AnswerCall[] => {
    if (part.type !== "tool-call") return []
    const { call, name, input } = part
    const problem = invalid.get(call)
    if (problem === undefined) return [{ call, name, input }]
    const cut = reason === "length" ? " (the answer was cut off; write less at once)" : ""
    return [{ call, name, input, invalid: problem + cut }]
  })
}

function contextFor(options: StepOptions, calls: number, room = Number.POSITIVE_INFINITY): StepContext {
  const secrets = options.secrets ?? []
  const questions = serial()
  return {
    ...options,
    hooks: options.hooks ?? {},
    parallel: options.parallel ?? PARALLEL,
    calls,
    characters: Math.min(STEP_OUTPUT, room * CHARACTERS_PER_TOKEN),
    redact: (text) => maskIn(text, secrets),
    masks: secrets.length > 0,
    oneByOne: (work) => questions.run(work),
  }
}

/** Room for the words that say where the rest is. */
const WORDS = 250

/**
 * The results of a step must fit into what is left of the window. What is too large is cut, and kept in a file.
 * Contract: small results stay whole; the largest are cut first.
 */
export async function fitted(
  results: readonly Part[],
  room: number,
  tokens: CountTokens,
  folder: string,
): Promise<Part[]> {
  const sizes = results.map((part) => partTokens(part, tokens))
  const most = fairShare(sizes, room)
  return Promise.all(
    results.map(async (part, i) =>
      part.type !== "tool-result" || (sizes[i] as number) <= most ? part : cut(part, most, tokens, folder),
    ),
  )
}

/** The most that each may have so that all fit together. */
function fairShare(sizes: readonly number[], room: number): number {
  let left = room
  for (const [i, size] of [...sizes].sort((a, b) => a - b).entries()) {
    const share = left / (sizes.length - i)
    if (size > share) return Math.floor(share)
    left -= size
  }
  return Number.POSITIVE_INFINITY
}

async function cut(part: ToolResultPart, most: number, tokens: CountTokens, folder: string): Promise<ToolResultPart> {
  const { media = [], ...bare } = part
  const text = media.length === 0 ? part.output : `${part.output}\n[${media.length} media left out: no room for them]`
  const size = tokens(text)
  // Dense text has more tokens for its length, so the measured count decides.
  const characters = size <= most ? text.length : Math.floor((text.length * most) / size) - WORDS
  return {
    ...bare,
    output: await limitOutput(text, Math.max(WORDS, characters), { folder, name: `${part.call}-whole` }),
  }
}

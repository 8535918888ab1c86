// A model that does what a script says, and remembers what it was asked.
import type { Json } from "../src/model/json.ts"
import type { Part } from "../src/model/record/part.ts"
import type { Usage } from "../src/model/record/record.ts"
import type { FinishReason, Model, ModelEvent, ModelProblem, StepRequest } from "../src/provider/port/port.ts"

export interface ScriptedAnswer {
  text?: string
  calls?: { name: string; input: Json; id?: string }[]
  /** By default what the request and the answer would cost at four characters a token, nothing cached. */
  usage?: Usage
  problem?: ModelProblem
  /** By default that it has said all, or calls tools. */
  finish?: FinishReason
  /** Says its text, and then nothing until it is stopped. */
  hangs?: true
}

export type Script = (request: StepRequest, n: number) => ScriptedAnswer | Promise<ScriptedAnswer>

export interface ScriptedModel extends Model {
  readonly requests: StepRequest[]
}

export function scriptedModel(script: Script | ScriptedAnswer[], more: Partial<Model> = {}): ScriptedModel {
  const requests: StepRequest[] = []
  const next: Script = Array.isArray(script) ? (_, n) => script[n] ?? { text: "Nothing left to do." } : script
  return {
    id: "scripted/model",
    window: undefined,
    maxOutput: undefined,
    ...more,
    requests,
    async *step(request) {
      const n = requests.length
      requests.push({ ...request, messages: structuredClone(request.messages) })
      yield* eventsOf(await next(request, n), request, n)
    },
  }
}

async function* eventsOf(answer: ScriptedAnswer, request: StepRequest, n: number): AsyncGenerator<ModelEvent> {
  const content: Part[] = []
  if (answer.text !== undefined) {
    yield { type: "text-start" }
    yield { type: "text-delta", text: answer.text }
    yield { type: "text-end" }
    content.push({ type: "text", text: answer.text })
  }
  if (answer.hangs === true) await aborted(request.signal)
  if (answer.problem !== undefined) {
    yield { type: "failed", problem: answer.problem }
    return
  }
  for (const [i, { name, input, id }] of (answer.calls ?? []).entries()) {
    const call = id ?? `call-${n}-${i}`
    yield { type: "tool-call", call, name, input }
    content.push({ type: "tool-call", call, name, input })
  }
  const usage = answer.usage ?? { input: sizeOf(request.messages), output: sizeOf(content) }
  yield {
    type: "finish",
    reason: answer.finish ?? (answer.calls === undefined ? "stop" : "tool-calls"),
    content,
    usage,
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((settle) => {
    if (signal.aborted) settle()
    else signal.addEventListener("abort", () => settle(), { once: true })
  })
}

export function sizeOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4)
}

/** All text that a request holds, tool traffic included. */
export function textOf(request: Pick<StepRequest, "messages"> | undefined): string {
  return (request?.messages ?? []).flatMap(({ content }) => content.map(partText)).join("\n")
}

function partText(part: Part): string {
  if (part.type === "text") return part.text
  return part.type === "tool-result" ? part.output : ""
}

// A model that holds requests to its window, as providers do: what is larger is refused, whatever it asks for.
import { messageTokens } from "../../src/model/record/record-tokens.ts"
import type { ModelEvent, StepRequest } from "../../src/provider/port/port.ts"
import { type Script, type ScriptedModel, scriptedModel, textOf } from "../test-host.ts"

export interface WindowModel extends ScriptedModel {
  /** Sizes of the requests that were refused. */
  readonly refused: number[]
  /** Requests for a summary that were answered. */
  readonly summaries: StepRequest[]
}

export interface WindowOptions {
  /** What the provider enforces. */
  holds: number
  /** What is known of it; undefined: nobody said. */
  known?: number
  says?: (tokens: number) => string
}

export const tokensOfText = (text: string) => Math.ceil(text.length / 4)

export function requestTokens({ messages, tools }: StepRequest): number {
  const said = messages.reduce((sum, { content }) => sum + messageTokens(content, tokensOfText), 0)
  return said + tokensOfText(JSON.stringify(tools))
}

export const isSummary = (request: StepRequest) => textOf(request).includes("write a summary of this conversation")

export function windowModel(script: Script, { holds, known, says }: WindowOptions): WindowModel {
  const [refused, summaries]: [number[], StepRequest[]] = [[], []]
  let asked = 0
  const inner = scriptedModel(
    async (request) => {
      const tokens = requestTokens(request)
      if (isSummary(request)) summaries.push(request)
      const answer = isSummary(request) ? { text: "## Goal\nGo on." } : await script(request, asked++)
      const output = tokensOfText(JSON.stringify([answer.text, answer.calls]))
      return { usage: { input: tokens, output }, ...answer }
    },
    { window: known },
  )
  return {
    ...inner,
    refused,
    summaries,
    async *step(request): AsyncGenerator<ModelEvent> {
      const tokens = requestTokens(request) + (request.maxOutputTokens ?? 0)
      if (tokens <= holds) yield* inner.step(request)
      else {
        refused.push(tokens)
        const message = says?.(tokens) ?? "your prompt exceeds the context window of this model"
        yield { type: "failed", problem: { kind: "overflow", message } }
      }
    },
  }
}

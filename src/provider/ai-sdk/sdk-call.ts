// A request in the SDK's form, without what the provider is known to refuse.
import { isObject, type JsonObject } from "../../model/json.ts"
import type { ThinkingLevel } from "../../model/thinking.ts"
import { unreachable } from "../../model/unreachable.ts"
import { geminiSchema } from "../catalogue/gemini-schema.ts"
import type { ModelFacts } from "../catalogue/model-facts.ts"
import type { ModelMessage, StepRequest } from "../port/port.ts"
import { withCacheMarks } from "./cache-marks.ts"
import { offered, type Refused, reasoningKey } from "./refused.ts"
import type { CallOptions, Endpoint, ProviderOptions } from "./sdk.ts"
import { promptOf } from "./sdk-prompt.ts"
import { thinkingFor } from "./thinking.ts"

export interface ModelSetup {
  endpoint: Endpoint
  facts: ModelFacts
  /** The provider's own options, under the SDK's names. */
  options?: JsonObject
  /** The configured level. */
  thinking?: ThinkingLevel
}

/** Anthropic counts the allowed output against the window, used or not. */
const ANTHROPIC_OUTPUT = 32_000
/** Less than what a compaction leaves free, whatever the size of the window. */
const PART_OF_WINDOW = 0.25
/** Anthropic's minimum for a thinking budget. */
const LEAST_BUDGET = 1_024

/** `notices`: what a person should know about it. */
export function callFor(
  request: StepRequest,
  setup: ModelSetup,
  refused: Refused,
): { call: CallOptions; notices: string[] } {
  const { endpoint, facts } = setup
  const { tools, notices } = offered(request, endpoint, refused)
  const prompt = promptOf(withoutRefused(request.messages, refused), {
    provider: endpoint.provider,
    kind: endpoint.kind,
    images: facts.images !== false,
    left: (text) => notices.push(text),
  })
  const options = providerOptions(request, setup, refused, notices)
  const maxOutputTokens =
    endpoint.kind === "anthropic" ? anthropicOutput(request, facts, options) : request.maxOutputTokens
  const call: CallOptions = {
    prompt: endpoint.kind === "anthropic" ? withCacheMarks(prompt) : prompt,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input }) => ({
        type: "function",
        name,
        description,
        inputSchema: endpoint.kind === "google" ? geminiSchema(input) : input,
      })),
      toolChoice: { type: "auto" },
    }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    providerOptions: options,
  }
  return { call, notices }
}

/** The SDK adds a thinking budget to the output limit: together they must not exceed what was requested. */
function anthropicOutput({ maxOutputTokens: most }: StepRequest, facts: ModelFacts, options: ProviderOptions): number {
  if (most === undefined) {
    const { maxOutput = ANTHROPIC_OUTPUT, window = Number.POSITIVE_INFINITY } = facts
    return Math.min(maxOutput, ANTHROPIC_OUTPUT, Math.floor(window * PART_OF_WINDOW))
  }
  const { thinking, ...rest } = options.anthropic ?? {}
  if (!isObject(thinking) || typeof thinking.budgetTokens !== "number") return most
  const budget = Math.min(thinking.budgetTokens, Math.floor(most / 2))
  const enough = budget >= LEAST_BUDGET
  options.anthropic = enough ? { ...rest, thinking: { ...thinking, budgetTokens: budget } } : rest
  return enough ? most - budget : most
}

function withoutRefused(messages: readonly ModelMessage[], { reasoning }: Refused): readonly ModelMessage[] {
  if (reasoning.size === 0) return messages
  return messages.map(({ role, content }) => ({
    role,
    content: content.filter((part) => part.type !== "reasoning" || !reasoning.has(reasoningKey(part))),
  }))
}

/** OpenAI stores nothing: what it wants back travels with the conversation. Tool inputs arrive whole anyway. */
function providerOptions(
  { session, thinking: asked }: StepRequest,
  { endpoint, options: own = {}, thinking: configured }: ModelSetup,
  refused: Refused,
  notices: string[],
): ProviderOptions {
  const level = asked ?? configured
  const { options, instead } = thinkingFor(level, endpoint)
  const { reasoningSummary, ...rest } = options
  const thinking = refused.summaries || reasoningSummary === undefined ? rest : options
  if (level !== undefined && instead !== undefined) {
    const words =
      instead === "none" ? "has no thinking level" : `has no thinking level "${level}": "${instead}" is used`
    notices.push(`${endpoint.provider}/${endpoint.name} ${words}.`)
  }
  switch (endpoint.kind) {
    case "anthropic":
      return { anthropic: { toolStreaming: false, ...thinking, ...own } }
    case "openai": {
      const cached = session === undefined ? {} : { promptCacheKey: session }
      return endpoint.api === "responses"
        ? { openai: { store: false, include: ["reasoning.encrypted_content"], ...cached, ...thinking, ...own } }
        : { openai: { ...cached, ...thinking, ...own } }
    }
    case "google":
      return { google: { ...thinking, ...own } }
    case "openai-compatible":
      return { [endpoint.provider]: { ...thinking, ...own } }
    default:
      return unreachable(endpoint.kind)
  }
}

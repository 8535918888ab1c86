// A request in the SDK's form, without what the provider is known to refuse.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { ThinkingLevel } from "../../model/thinking.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { ModelFacts } from "../catalogue/model-facts.ts"
import type { ModelMessage, StepRequest } from "../port/port.ts"
import { offered, type Refused, reasoningKey } from "./refused.ts"
import type { CallOptions, Endpoint, Prompt, PromptMessage, ProviderOptions } from "./sdk.ts"
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

const MARK: ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } }

/**
 * Prompt-cache breakpoints, for the provider that must be told where they are. Marks the system prompt (tools come
 * before it), the end of this request, and the end of the previous one, where that left its cache. The SDK puts a
 * message's mark on its last block and changes nothing else.
 */
function withCacheMarks(prompt: Prompt): Prompt {
  const marked = new Set<PromptMessage>()
  const system = prompt.findLast((message) => message.role === "system")
  const last = prompt.findLastIndex(isSent)
  const answer = prompt.findLastIndex((message, index) => index < last && message.role === "assistant")
  const before = prompt.findLastIndex((message, index) => index < answer && isSent(message))
  for (const message of [system, prompt[last], prompt[before]]) if (message !== undefined) marked.add(message)
  return prompt.map((message) => (marked.has(message) ? { ...message, providerOptions: MARK } : message))
}

function isSent(message: PromptMessage): boolean {
  return message.role === "user" || message.role === "tool"
}

/**
 * A tool's schema for Gemini, which knows only part of JSON Schema and refuses the whole request for the rest. A schema
 * that is a little too wide is better than no tool, because the tool checks its input anyway.
 */
export function geminiSchema(schema: JsonObject): JsonObject {
  // At the top level, a choice only says which properties go together.
  const { oneOf: _, anyOf: __, allOf: ___, ...top } = schema
  return simplified(top)
}

function simplified(schema: JsonObject): JsonObject {
  const { oneOf, allOf, prefixItems, ...rest } = schema
  let made: JsonObject = Object.assign({}, ...objects(allOf), rest)
  if (made.anyOf === undefined && oneOf !== undefined) made.anyOf = oneOf
  if (made.items === undefined && Array.isArray(prefixItems)) made.items = oneAmong(objects(prefixItems))
  made = withWords(made)
  for (const [key, value] of Object.entries(made)) made[key] = inner(key, value)
  const known = isObject(made.properties) ? made.properties : {}
  if (Array.isArray(made.required))
    made.required = made.required.filter((name) => typeof name === "string" && known[name] !== undefined)
  return made
}

/** Gemini lists values only for strings: others go into the description. */
function withWords({ enum: values, const: only, ...schema }: JsonObject): JsonObject {
  const all = Array.isArray(values) ? values : only === undefined ? undefined : [only]
  if (all === undefined) return schema
  if (all.every((value) => typeof value === "string")) return { ...schema, type: "string", enum: all }
  const words = `One of: ${all.map((value) => JSON.stringify(value)).join(", ")}.`
  const type = schema.type ?? typeof all[0]
  return { ...schema, type, description: described(schema.description, words) }
}

function described(before: Json | undefined, words: string): string {
  return typeof before === "string" && before !== "" ? `${before} ${words}` : words
}

function inner(key: string, value: Json): Json {
  if (key === "properties" || key === "$defs" || key === "definitions") {
    return isObject(value) ? mapped(value) : value
  }
  if (key === "items") return isObject(value) ? simplified(value) : value
  return key === "anyOf" ? objects(value).map(simplified) : value
}

function mapped(schemas: JsonObject): JsonObject {
  const made = Object.entries(schemas).map(([name, each]) => [name, isObject(each) ? simplified(each) : each])
  return Object.fromEntries(made) as JsonObject
}

function oneAmong(schemas: JsonObject[]): JsonObject {
  return schemas.length === 1 ? (schemas[0] as JsonObject) : { anyOf: schemas }
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

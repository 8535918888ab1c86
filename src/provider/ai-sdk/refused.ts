// What a provider has refused is not sent to it again. Tools, earlier thinking and the request for summaries can be
// left out without asking: nothing of the person's is lost. The person decides about the rest.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { ProviderKind } from "../catalogue/presets.ts"
import type { ModelProblem, StepRequest, ToolSpec } from "../port/port.ts"
import type { Endpoint } from "./sdk.ts"

/** What has been learnt about one model while it was used. */
export interface Refused {
  tools: Set<string>
  /** Reasoning, identified by the metadata that its provider wants back. */
  reasoning: Set<string>
  summaries: boolean
  /** Notices already shown, which are not shown again. */
  told: Set<string>
}

export function nothingRefused(): Refused {
  return { tools: new Set(), reasoning: new Set(), summaries: false, told: new Set() }
}

/** The tools that can be offered, and a notice for each that cannot. */
export function offered(
  { tools }: StepRequest,
  { provider, kind }: Endpoint,
  refused: Refused,
): { tools: ToolSpec[]; notices: string[] } {
  const notices: string[] = []
  const kept = tools.filter((tool) => {
    const problem = toolProblem(tool, kind)
    if (problem !== undefined)
      notices.push(`The tool ${tool.name} is left out: ${provider} would refuse it, because ${problem}.`)
    return problem === undefined && !refused.tools.has(tool.name)
  })
  return { tools: kept, notices }
}

/** Learns what to leave out and returns a notice; undefined if the refusal is about something else. Never twice. */
export function leaveOut(
  problem: ModelProblem,
  request: StepRequest,
  endpoint: Endpoint,
  refused: Refused,
): string | undefined {
  if (problem.kind !== "invalid") return undefined
  const { message } = problem
  if (/bound to a different conversation|Invalid `signature` in `thinking`/i.test(message)) {
    const before = refused.reasoning.size
    for (const key of reasoningIn(request)) refused.reasoning.add(key)
    return refused.reasoning.size === before
      ? undefined
      : `${endpoint.provider} refused its own earlier thinking, because something before it has changed. Continuing without that thinking.`
  }
  if (/reasoning summar/i.test(message) && !refused.summaries) {
    refused.summaries = true
    return `${endpoint.provider} does not show its thinking to this account. Continuing without summaries of it.`
  }
  const tool = toolNamed(message, offered(request, endpoint, refused).tools)
  if (tool === undefined) return undefined
  refused.tools.add(tool)
  return `The tool ${tool} is left out, the others work: ${message}`
}

export function reasoningKey(part: { text?: string; meta?: unknown }): string {
  return JSON.stringify([part.text ?? "", part.meta ?? null])
}

function reasoningIn({ messages }: StepRequest): string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "reasoning" ? [reasoningKey(part)] : [])),
  )
}

/** Vendors name a tool, or its position in the list. */
function toolNamed(message: string, sent: readonly ToolSpec[]): string | undefined {
  const place = /\btools\.(\d+)\.|\btools\[(\d+)\](?!\.function_declarations)|function_declarations\[(\d+)\]/.exec(
    message,
  )
  const index = place?.slice(1).find((each) => each !== undefined)
  if (index !== undefined) return sent[Number(index)]?.name
  const name = /(?:function|tool) '([^']+)'/i.exec(message)?.[1]
  return sent.find((tool) => tool.name === name)?.name
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/

/**
 * Whether a tool can be offered: because of one schema that a vendor does not accept, it refuses the whole request. Why
 * this vendor would refuse the tool; undefined if there is no known reason.
 */
function toolProblem({ name, input }: ToolSpec, kind: ProviderKind): string | undefined {
  if (!NAME.test(name)) return "its name has characters that are not allowed, or is too long"
  if (input.type !== "object") return 'its schema is not of the type "object"'
  const choice = ["oneOf", "anyOf", "allOf"].find((keyword) => input[keyword] !== undefined)
  if (choice !== undefined && kind !== "google") return `its schema has "${choice}" at the top`
  if (kind === "anthropic") {
    const odd = Object.keys(isObject(input.properties) ? input.properties : {}).find((key) => !PROPERTY.test(key))
    return odd === undefined ? undefined : `its schema has a property called ${JSON.stringify(odd)}`
  }
  const list = untypedList(input, [])
  return list === undefined ? undefined : `its schema does not say what the list "${list}" holds`
}

/** OpenAI and Gemini require every list to declare its items. */
function untypedList(schema: JsonObject, path: string[]): string | undefined {
  const isList = schema.type === "array" || (Array.isArray(schema.type) && schema.type.includes("array"))
  if (isList && !isObject(schema.items) && schema.prefixItems === undefined) return path.join(".")
  for (const [name, inner] of inners(schema)) {
    const found = isObject(inner) ? untypedList(inner, name === "" ? path : [...path, name]) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function inners(schema: JsonObject): [string, Json][] {
  const choices = ["anyOf", "oneOf", "allOf"].flatMap((keyword) => {
    const list = schema[keyword]
    return Array.isArray(list) ? list : []
  })
  const items = schema.items === undefined ? [] : [schema.items]
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  return [...properties, ...[...items, ...choices].map((inner): [string, Json] => ["", inner])]
}

// Turns the SDK's stream into events, and into the assistant message they amount to.
import { isObject, type JsonObject, parseJson } from "../../model/json.ts"
import type { Part, Usage } from "../../model/record/record.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { FinishReason, ModelEvent } from "../port/port.ts"
import type { StreamPart } from "./sdk.ts"
import { metaFor } from "./sdk-prompt.ts"

type Block = Extract<Part, { type: "text" | "reasoning" }>
type Finish = Extract<StreamPart, { type: "finish" }>

/** One attempt at an answer. Tool calls are reported only at its end, when they are certain. */
export class AnswerBuilder {
  finish: Finish | undefined
  /** The error that the stream itself reported. */
  error: unknown
  readonly #provider: string
  readonly #taken: Set<string>
  readonly #content: Part[] = []
  readonly #calls: ModelEvent[] = []
  readonly #blocks = new Map<string, Block>()
  #shown: Block | undefined

  /** `taken`: the ids of calls already in the conversation; some servers count from zero in every answer. */
  constructor(provider: string, taken: ReadonlySet<string>) {
    this.#provider = provider
    this.#taken = new Set(taken)
  }

  add(part: StreamPart): ModelEvent[] {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        return this.#start(part.type === "text-start" ? "text" : "reasoning", part.id, part.providerMetadata)
      case "text-delta":
      case "reasoning-delta":
        return this.#delta(part.id, part.delta, part.providerMetadata)
      case "text-end":
      case "reasoning-end":
        return this.#end(part.id, part.providerMetadata)
      case "tool-call":
        if (part.providerExecuted !== true) this.#call(part)
        return []
      case "finish":
        this.finish = part
        return []
      case "error":
        this.error = part.error
        return []
      case "stream-start":
      case "response-metadata":
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-input-end":
      case "tool-result":
      case "tool-approval-request":
      case "source":
      case "file":
      case "raw":
        return []
      default:
        return unreachable(part)
    }
  }

  /** Ends whatever is open: nothing more comes from this attempt. */
  close(): ModelEvent[] {
    return this.#hide()
  }

  /** Contract: call once, after a valid finish. */
  end(finish: Finish): ModelEvent[] {
    const content = this.#content.filter((part) => part.type === "tool-call" || isWorthKeeping(part))
    const reason = reasonOf(finish, this.#calls.length > 0)
    return [...this.#hide(), ...this.#calls, { type: "finish", reason, content, usage: usageOf(finish.usage) }]
  }

  #start(type: Block["type"], id: string, data: unknown): ModelEvent[] {
    const block: Block = { type, text: "" }
    this.#blocks.set(id, block)
    this.#content.push(block)
    if (type === "reasoning") block.meta = metaFor(this.#provider, undefined)
    this.#keep(block, data)
    return []
  }

  #delta(id: string, text: string, data: unknown): ModelEvent[] {
    const block = this.#blocks.get(id)
    if (block === undefined) return []
    this.#keep(block, data)
    if (text === "") return []
    block.text += text
    return [...this.#show(block), { type: `${block.type}-delta`, text }]
  }

  #end(id: string, data: unknown): ModelEvent[] {
    const block = this.#blocks.get(id)
    if (block === undefined) return []
    this.#keep(block, data)
    const redacted = block.type === "reasoning" && block.text === "" && isObject(block.meta?.data)
    const shown = redacted ? this.#show(block) : []
    return this.#shown === block ? [...shown, ...this.#hide()] : []
  }

  #show(block: Block): ModelEvent[] {
    if (this.#shown === block) return []
    const events = this.#hide()
    this.#shown = block
    return [...events, { type: `${block.type}-start` }]
  }

  #hide(): ModelEvent[] {
    const block = this.#shown
    this.#shown = undefined
    if (block === undefined) return []
    if (block.type === "text") return [{ type: "text-end" }]
    return [{ type: "reasoning-end", ...(block.meta !== undefined && { meta: block.meta }) }]
  }

  #keep(part: Block, data: unknown): void {
    if (!isObject(data)) return
    const before = isObject(part.meta?.data) ? part.meta.data : {}
    part.meta = metaFor(this.#provider, mergedMeta(before, data))
  }

  #call(part: Extract<StreamPart, { type: "tool-call" }>): void {
    const parsed = parseJson(part.input.trim() === "" ? "{}" : part.input)
    const invalid = parsed.ok ? (isObject(parsed.value) ? undefined : "expected an object") : parsed.problem
    const input = parsed.ok ? parsed.value : part.input
    const call = { call: this.#freeId(part.toolCallId), name: part.toolName, input }
    const meta = isObject(part.providerMetadata) ? { meta: metaFor(this.#provider, part.providerMetadata) } : {}
    this.#content.push({ type: "tool-call", ...call, ...meta })
    this.#calls.push({ type: "tool-call", ...call, ...(invalid !== undefined && { invalid }) })
  }

  #freeId(id: string): string {
    const base = id === "" ? "call" : id
    let free = base
    for (let n = 2; this.#taken.has(free); n++) free = `${base}-${n}`
    this.#taken.add(free)
    return free
  }
}

/** An empty text part is kept only for the metadata its provider wants back. */
function isWorthKeeping(part: Part): boolean {
  return (part.type === "text" || part.type === "reasoning") && (part.text !== "" || isObject(part.meta?.data))
}

/** The metadata of one part arrives in pieces: a signature comes after the text it signs. */
function mergedMeta(before: JsonObject, data: JsonObject): JsonObject {
  const merged = { ...before }
  for (const [key, value] of Object.entries(data)) {
    const earlier = merged[key]
    merged[key] = isObject(earlier) && isObject(value) ? { ...earlier, ...value } : value
  }
  return merged
}

function reasonOf({ finishReason }: Finish, hasCalls: boolean): FinishReason {
  switch (finishReason.unified) {
    case "length":
      return "length"
    case "content-filter":
      return "filter"
    case "stop":
    case "tool-calls":
      return hasCalls ? "tool-calls" : "stop"
    case "error":
    case "other":
      return hasCalls ? "tool-calls" : "other"
    default:
      return unreachable(finishReason.unified)
  }
}

function usageOf({ inputTokens, outputTokens, raw }: Finish["usage"]): Usage {
  const usage: Usage = {}
  // DeepSeek and Moonshot report cache reads in their own fields.
  const own = isObject(raw) ? (raw.prompt_cache_hit_tokens ?? raw.cached_tokens) : undefined
  const cacheRead = inputTokens.cacheRead || (typeof own === "number" ? own : inputTokens.cacheRead)
  const input = inputTokens.total === undefined ? inputTokens.noCache : inputTokens.total
  if (input !== undefined) usage.input = Math.max(0, input - (cacheRead ?? 0) - (inputTokens.cacheWrite ?? 0))
  if (outputTokens.total !== undefined) usage.output = outputTokens.total
  if (cacheRead !== undefined) usage.cacheRead = cacheRead
  if (inputTokens.cacheWrite !== undefined) usage.cacheWrite = inputTokens.cacheWrite
  return usage
}

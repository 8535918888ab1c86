// Removes unknown events from a vendor's stream, before the SDK refuses the whole answer because of them: vendors add
// events and blocks, and say that clients should ignore those they do not know.
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import type { Endpoint } from "./sdk.ts"

/** Calls `ignored` for each one removed. */
export function knownEvents(
  { kind, api }: Endpoint,
  ignored: (what: string) => void,
): TransformStream<Uint8Array, Uint8Array> | undefined {
  const judge = kind === "anthropic" ? anthropicJudge(ignored) : isChat(kind, api) ? chatJudge(ignored) : undefined
  return judge === undefined ? undefined : eachEvent(judge)
}

/** Counts what was ignored in one answer. */
export class Ignored {
  readonly #counts = new Map<string, number>()

  add(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1)
  }

  words(provider: string): string[] {
    if (this.#counts.size === 0) return []
    const each = [...this.#counts].map(([what, times]) => (times === 1 ? what : `${what} (${times} times)`))
    return [`${provider} sent something that this version of retcon does not know and ignored: ${each.join(", ")}.`]
  }
}

function isChat(kind: Endpoint["kind"], api: Endpoint["api"]): boolean {
  return kind === "openai-compatible" || (kind === "openai" && api !== "responses")
}

/** The event to pass on, or undefined. */
type Judge = (data: JsonObject) => JsonObject | undefined

function eachEvent(judge: Judge): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ""
  const pass = (controller: TransformStreamDefaultController<Uint8Array>, text: string) => {
    if (text !== "") controller.enqueue(encoder.encode(text))
  }
  return new TransformStream({
    transform(bytes, controller) {
      rest += decoder.decode(bytes, { stream: true })
      for (let end = /\r?\n\r?\n/.exec(rest); end !== null; end = /\r?\n\r?\n/.exec(rest)) {
        const event = rest.slice(0, end.index + end[0].length)
        rest = rest.slice(event.length)
        pass(controller, judged(event, judge))
      }
    },
    flush(controller) {
      pass(controller, rest + decoder.decode())
    },
  })
}

/** Anything but an event with a JSON object is passed on unchanged: the SDK knows how to handle it. */
function judged(event: string, judge: Judge): string {
  const data = event
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith("data:") ? [line.slice("data:".length).replace(/^ /, "")] : []))
    .join("\n")
  const parsed = data.startsWith("{") ? parseJson(data) : undefined
  if (parsed === undefined || !parsed.ok || !isObject(parsed.value)) return event
  const known = judge(parsed.value)
  if (known === parsed.value) return event
  return known === undefined ? "" : `data: ${JSON.stringify(known)}\n\n`
}

const EVENTS = new Set(
  "message_start content_block_start content_block_delta content_block_stop message_delta message_stop ping error".split(
    " ",
  ),
)
const BLOCKS = new Set(["text", "thinking", "redacted_thinking", "tool_use"])
const DELTAS = new Set(["text_delta", "thinking_delta", "signature_delta", "input_json_delta", "citations_delta"])

function anthropicJudge(ignored: (what: string) => void): Judge {
  const unknown = new Set<Json>()
  return (event) => {
    const type = text(event.type)
    if (!EVENTS.has(type)) return drop(ignored, type)
    if (type === "content_block_start" && isObject(event.content_block)) {
      const block = text(event.content_block.type)
      if (BLOCKS.has(block)) return event
      unknown.add(event.index ?? null)
      return drop(ignored, block)
    }
    if (unknown.has(event.index ?? null) && type.startsWith("content_block_")) return undefined
    if (type === "content_block_delta" && isObject(event.delta) && !DELTAS.has(text(event.delta.type))) {
      return drop(ignored, text(event.delta.type))
    }
    return event
  }
}

function chatJudge(ignored: (what: string) => void): Judge {
  return (chunk) => {
    if (chunk.error !== undefined) return chunk
    if (!Array.isArray(chunk.choices)) return chunk.usage === undefined ? drop(ignored, text(chunk.object)) : chunk
    const odd = chunk.choices.some((choice) => callsOf(choice).some(isOddCall))
    if (!odd) return chunk
    drop(ignored, "tool_calls of another type")
    return { ...chunk, choices: chunk.choices.map(withoutOddCalls) }
  }
}

function callsOf(choice: Json): Json[] {
  const delta = isObject(choice) && isObject(choice.delta) ? choice.delta : {}
  return Array.isArray(delta.tool_calls) ? delta.tool_calls : []
}

function isOddCall(call: Json): boolean {
  return isObject(call) && typeof call.type === "string" && call.type !== "function" && call.function === undefined
}

function withoutOddCalls(choice: Json): Json {
  if (!isObject(choice) || !isObject(choice.delta)) return choice
  return { ...choice, delta: { ...choice.delta, tool_calls: callsOf(choice).filter((call) => !isOddCall(call)) } }
}

function drop(ignored: (what: string) => void, what: string): undefined {
  ignored(what === "" ? "an event without a name" : what)
  return undefined
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : ""
}

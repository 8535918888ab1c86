// The fetch that the SDK gets: it notices every byte that arrives, and keeps the shape of messages stable.
import { isObject, type Json, parseJson } from "../../model/json.ts"
import { knownEvents } from "./known-events.ts"
import { NotAModel } from "./provider-error.ts"
import type { Endpoint } from "./sdk.ts"

export type Fetch = typeof globalThis.fetch

export interface WireTold {
  bytes(): void
  /** An unknown event or block was removed from the answer. */
  ignored(what: string): void
}

/** Redirects are refused: they would send the key to wherever they point. */
export function wireFetch(fetch: Fetch, endpoint: Endpoint, told: WireTold): Fetch {
  return async (url, init) => {
    const body = typeof init?.body === "string" ? stableBody(init.body, endpoint) : init?.body
    const response = await fetch(url, { ...init, ...(body !== undefined && { body }), redirect: "manual" })
    told.bytes()
    refuseOther(response)
    if (response.body === null) return response
    const { status, statusText, headers } = response
    const watched = watchedBody(response.body, init?.signal ?? undefined, () => told.bytes())
    const filter = isEvents(response) ? knownEvents(endpoint, (what) => told.ignored(what)) : undefined
    return new Response(filter === undefined ? watched : watched.pipeThrough(filter), { status, statusText, headers })
  }
}

/** What answers like this is no model's API, and will not be one a second later. */
function refuseOther({ status, headers }: Response): void {
  const check = "Check the baseUrl of this provider, and whether a proxy or a login page is in between."
  if (status >= 300 && status < 400) {
    const to = URL.canParse(headers.get("location") ?? "") ? ` to ${new URL(headers.get("location") ?? "").origin}` : ""
    throw new NotAModel(
      `the address answers with a redirect (${status}${to}), which is not followed: it would get the key. ${check}`,
    )
  }
  if (status < 300 && headers.get("content-type")?.startsWith("text/html") === true)
    throw new NotAModel(`the address answers with a web page, not as a model does. ${check}`)
}

function isEvents({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true
}

/**
 * The bytes as they arrive. Contract: when `signal` aborts, the connection closes at once, whoever is reading. Node's
 * `fetch` alone does not do that: it holds the signal weakly, and after a garbage collection the server sends, and is
 * paid for, the whole answer.
 */
function watchedBody(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  onBytes: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const close = (reason?: unknown) => reader.cancel(reason).catch(() => undefined)
  const stop = () => void close()
  if (signal?.aborted === true) stop()
  signal?.addEventListener("abort", stop, { once: true })
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      onBytes()
      if (!done) return controller.enqueue(value)
      signal?.removeEventListener("abort", stop)
      controller.close()
    },
    cancel: close,
  })
}

/**
 * In chat completions the SDK sends one text part as a string and two as an array, so adding a part to a message would
 * change what came before it. Here a user's content is always an array.
 */
function stableBody(body: string, endpoint: Endpoint): string {
  if (endpoint.kind !== "openai" && endpoint.kind !== "openai-compatible") return body
  const parsed = parseJson(body)
  if (!parsed.ok || !isObject(parsed.value) || !Array.isArray(parsed.value.messages)) return body
  const reasons = wantsReasoning(endpoint)
  const messages = parsed.value.messages.map((message) => stableMessage(message, reasons))
  return JSON.stringify({ ...parsed.value, messages })
}

function stableMessage(message: Json, reasons: boolean): Json {
  if (!isObject(message)) return message
  if (message.role === "user" && typeof message.content === "string") {
    return { ...message, content: [{ type: "text", text: message.content }] }
  }
  if (reasons && message.role === "assistant" && Array.isArray(message.tool_calls)) {
    return { ...message, reasoning_content: message.reasoning_content ?? "" }
  }
  return message
}

/** They refuse an answer with calls that comes back without this field, even if another model made the calls. */
function wantsReasoning({ provider, name, baseUrl }: Endpoint): boolean {
  return /deepseek|moonshot|kimi/i.test(`${provider} ${name} ${baseUrl}`)
}

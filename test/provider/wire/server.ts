// A local HTTP server that plays a provider: a queue of replies, and a record of every request as it came.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { isObject, type Json, type JsonObject, parseJson } from "../../../src/model/json.ts"
import { type SdkModelOptions, sdkModel } from "../../../src/provider/ai-sdk/model.ts"
import type { Endpoint } from "../../../src/provider/ai-sdk/sdk.ts"
import { Key } from "../../../src/provider/catalogue/key.ts"
import type { Model, ModelEvent, ModelMessage, StepRequest, ToolSpec } from "../../../src/provider/port/port.ts"
import type { Timing } from "../../../src/provider/port/timing.ts"
import { anthropicReply } from "./anthropic.ts"
import { geminiReply } from "./gemini.ts"
import { chatReply } from "./openai.ts"
import { responsesReply } from "./responses.ts"

export interface WireRequest {
  path: string
  headers: Record<string, string>
  /** The body as it came. */
  text: string
  json: JsonObject
  /** Resolves when the client has gone. */
  gone: Promise<void>
}

export type WireReply =
  | { status: number; headers?: Record<string, string>; body: Json }
  /**
   * `ending`: after the events the answer ends, is torn down, stays open without another byte, or goes on with its last
   * event, again and again, until nobody reads any more.
   */
  | { events: string[]; ending?: "end" | "reset" | "hang" | "goes-on" }
  /** The connection is torn down without an answer. */
  | "reset"
  /** What is answered depends on what was asked. */
  | ((request: WireRequest) => WireReply)

export class WireServer {
  readonly requests: WireRequest[] = []
  /** Requests that broke a rule, and which. */
  readonly refused: { request: WireRequest; because: string }[] = []
  /** The rules of a vendor: what breaks one is answered so, and takes no reply from the queue. */
  judge: (request: WireRequest) => { reply: WireReply; because: string } | undefined = () => undefined
  /** Answers every request that finds the queue empty. */
  otherwise: (request: WireRequest) => WireReply = () => ({
    status: 400,
    body: { error: { message: "no reply left" } },
  })
  readonly #queue: WireReply[] = []
  readonly #server: Server
  readonly #waiting: { count: number; resolve: () => void }[] = []

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<WireServer> {
    const server = createServer((request, response) => void wire.#answer(request, response))
    const wire = new WireServer(server)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return wire
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  reply(...replies: WireReply[]): void {
    this.#queue.push(...replies)
  }

  /** The bodies of all requests so far. */
  get bodies(): JsonObject[] {
    return this.requests.map((request) => request.json)
  }

  /** Resolves with request number `index`, also when it is still to come. */
  async request(index: number): Promise<WireRequest> {
    if (this.requests.length <= index) {
      await new Promise<void>((resolve) => this.#waiting.push({ count: index + 1, resolve }))
    }
    const request = this.requests[index]
    if (request === undefined) throw new Error(`there is no request ${index}`)
    return request
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString("utf8")
    const parsed = parseJson(text)
    const request: WireRequest = {
      path: incoming.url ?? "",
      headers: incoming.headers as Record<string, string>,
      text,
      json: parsed.ok && isObject(parsed.value) ? parsed.value : {},
      gone: new Promise((resolve) => response.on("close", resolve)),
    }
    this.requests.push(request)
    this.#send(this.#replyTo(request), request, response)
    for (const waiting of this.#waiting) if (this.requests.length >= waiting.count) waiting.resolve()
  }

  #replyTo(request: WireRequest): WireReply {
    const broken = this.judge(request)
    if (broken === undefined) return this.#queue.shift() ?? this.otherwise(request)
    this.refused.push({ request, because: broken.because })
    return broken.reply
  }

  #send(reply: WireReply, request: WireRequest, response: ServerResponse): void {
    if (typeof reply === "function") {
      this.#send(reply(request), request, response)
    } else if (reply === "reset") {
      response.destroy()
    } else if ("status" in reply) {
      response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
      response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body))
    } else {
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.flushHeaders()
      response.write(reply.events.join(""), () => {
        if (reply.ending === "reset") response.destroy()
        else if (reply.ending === "goes-on") goOn(response, reply.events.at(-1) ?? "")
        else if (reply.ending !== "hang") response.end()
      })
    }
  }
}

const EVERY_MS = 5

function goOn(response: ServerResponse, event: string): void {
  const timer = setInterval(() => response.write(event), EVERY_MS)
  response.on("close", () => clearInterval(timer))
}

export interface WireAnswer {
  /** The vendor's id of the answer, where it has one. */
  id?: string
  reasoning?: string
  /** Anthropic: of the reasoning. */
  signature?: string
  text?: string
  /** `input`: a string is sent as it is, also when it is not JSON. `namespace`: of the name, where the protocol has them. */
  calls?: { id: string; name: string; input: Json; namespace?: string }[]
  /** The vendor's own word; by default what fits the answer. */
  finish?: string
  usage?: { input: number; output: number; cacheRead?: number; cacheWrite?: number }
}

/** What a fake provider answers, before it is put into the words of a vendor's protocol. */
export const USAGE = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 }

export function inputText(input: Json): string {
  return typeof input === "string" ? input : JSON.stringify(input)
}

/** Text in the pieces in which it is streamed. */
export function pieces(text: string, size = 7): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? []
}

export interface Fake {
  endpoint: Omit<Endpoint, "baseUrl" | "key">
  path: string
  reply(answer: WireAnswer): WireReply
}

/** Each provider with its fake: how a model is pointed at it, and how the fake words an answer. */
export const SECRET = "sk-secret-0123456789"

export const FAKES = {
  anthropic: {
    endpoint: { provider: "anthropic", name: "claude-sonnet-4-5", kind: "anthropic" },
    path: "/v1",
    reply: anthropicReply,
  },
  openai: { endpoint: { provider: "openai", name: "gpt-4.1", kind: "openai" }, path: "/v1", reply: chatReply },
  responses: {
    endpoint: { provider: "openai", name: "gpt-6.1-sol", kind: "openai", api: "responses" },
    path: "/v1",
    reply: responsesReply,
  },
  google: {
    endpoint: { provider: "google", name: "gemini-2.5-flash", kind: "google" },
    path: "/v1beta",
    reply: geminiReply,
  },
  ollama: { endpoint: { provider: "ollama", name: "qwen3", kind: "openai-compatible" }, path: "/v1", reply: chatReply },
} satisfies Record<string, Fake>

/** An answer that begins and never ends: the server goes on sending text for as long as somebody reads. */
export function endlessReply(fake: Fake): WireReply {
  const reply = fake.reply({ text: "tick" })
  if (typeof reply === "function") return (request) => endlessReply({ ...fake, reply: () => reply(request) })
  if (typeof reply === "string" || !("events" in reply)) throw new Error("an answer has events")
  const told = reply.events.findIndex((event) => event.includes('"tick"'))
  return { events: reply.events.slice(0, told + 1), ending: "goes-on" }
}

/** Waits take no time, and are written down. */
export class NoWaiting implements Timing {
  readonly waits: number[] = []
  time = 0
  now(): number {
    return this.time
  }
  random(): number {
    return 0.5
  }
  /** A wait for a stall is as long as the answer takes: it ends with the attempt. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (ms >= 200_000) return new Promise((resolve) => signal.addEventListener("abort", () => resolve()))
    this.waits.push(ms)
    this.time += ms
  }
}

export function modelAt(server: WireServer, fake: Fake, more: Partial<SdkModelOptions> = {}): Model {
  const endpoint = { ...fake.endpoint, baseUrl: `${server.url}${fake.path}`, key: new Key(SECRET) }
  return sdkModel({ endpoint, facts: {}, fetch, timing: new NoWaiting(), ...more })
}

export async function eventsOf(model: Model, request: Partial<StepRequest> = {}): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.step({
    messages: [user("hi")],
    tools: [],
    signal: new AbortController().signal,
    ...request,
  })) {
    events.push(event)
  }
  return events
}

export function user(...texts: string[]): ModelMessage {
  return { role: "user", content: texts.map((text) => ({ type: "text", text })) }
}

export const READ: ToolSpec = {
  name: "Read",
  description: "Reads a file.",
  input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
}

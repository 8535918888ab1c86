// A local HTTP server that plays a provider: a queue of replies, and a record of every request as it came.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { isObject, type Json, type JsonObject, parseJson } from "../../../src/model/json.ts"

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

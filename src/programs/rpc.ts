// JSON-RPC 2.0 in both directions, one message a line: how editors and agents of the Agent Client Protocol talk over pipes.
import { isObject, type Json, type JsonObject, parseJson } from "../model/json.ts"

export class RpcError extends Error {
  readonly code: number
  readonly data: Json | undefined

  constructor(code: number, message: string, data?: Json) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The codes of JSON-RPC, and those that the Agent Client Protocol adds. */
export const RPC = {
  unknownMethod: -32601,
  wrongParams: -32602,
  internal: -32603,
  cancelled: -32800,
  needsLogin: -32000,
  notFound: -32002,
} as const

/** Contract: called in the order in which messages arrive. What it throws is the answer; undefined is answered as null. */
export type RpcMethod = (params: JsonObject, signal: AbortSignal) => Promise<Json | undefined> | Json | undefined

export interface RpcPeer {
  /** Contract: rejects with an RpcError. When `signal` aborts, the other side is told and the answer is no longer waited for. */
  request(method: string, params: Json, signal?: AbortSignal): Promise<Json>
  notify(method: string, params: Json): void
  /** Takes a line from the other side. */
  take(line: string): void
  /** The other side is gone: rejects all that waits, and aborts what it had asked for. Idempotent. */
  close(why: string): void
}

export interface RpcOptions {
  send: (message: JsonObject) => void
  /** By name, for requests and notifications alike. A request for any other is answered with `unknownMethod`. */
  methods: Readonly<Record<string, RpcMethod>>
  /** A line that is no message. */
  garbage?: (line: string) => void
}

const CANCEL = "$/cancel_request"

interface Waiting {
  settle: (value: Json) => void
  fail: (error: RpcError) => void
}

export function rpcPeer({ send: write, methods, garbage = () => undefined }: RpcOptions): RpcPeer {
  const waiting = new Map<string, Waiting>()
  const answering = new Map<string, AbortController>()
  let next = 0
  let closed: string | undefined
  const send = (message: JsonObject) => {
    if (closed === undefined) write({ jsonrpc: "2.0", ...message })
  }

  async function answer(id: Json | undefined, method: string, params: JsonObject): Promise<void> {
    const controller = new AbortController()
    const key = JSON.stringify(id ?? null)
    if (id !== undefined) answering.set(key, controller)
    try {
      const run = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (run === undefined) throw new RpcError(RPC.unknownMethod, `There is no method ${method} here.`)
      const result = (await run(params, controller.signal)) ?? null
      if (id !== undefined) send({ id, result })
    } catch (error) {
      if (id !== undefined) send({ id, error: errorFields(error) })
    } finally {
      if (id !== undefined) answering.delete(key)
    }
  }

  function received(id: number | string, { result, error }: JsonObject): void {
    const asked = waiting.get(String(id))
    waiting.delete(String(id))
    if (!isObject(error)) return asked?.settle(result ?? null)
    const { code, message, data } = error
    asked?.fail(new RpcError(typeof code === "number" ? code : RPC.internal, textOf(message), data))
  }

  return {
    take(line) {
      if (line.trim() === "") return
      const parsed = parseJson(line)
      if (!parsed.ok || !isObject(parsed.value)) return garbage(line)
      const { id, method, params } = parsed.value
      const fields = isObject(params) ? params : {}
      if (method === CANCEL) answering.get(JSON.stringify(fields.requestId ?? null))?.abort()
      else if (typeof method === "string") void answer(id, method, fields)
      else if (typeof id === "number" || typeof id === "string") received(id, parsed.value)
      else garbage(line)
    },
    close(why) {
      closed ??= why
      const asked = [...waiting.values()]
      waiting.clear()
      for (const { fail } of asked) fail(new RpcError(RPC.internal, closed))
      for (const controller of answering.values()) controller.abort()
    },
    notify: (method, params) => send({ method, params }),
    request: (method, params, signal) =>
      new Promise((resolve, reject) => {
        if (closed !== undefined) return reject(new RpcError(RPC.internal, closed))
        if (signal?.aborted === true) return reject(new RpcError(RPC.cancelled, CANCELLED))
        const id = ++next
        const cancel = () => {
          waiting.delete(String(id))
          send({ method: CANCEL, params: { requestId: id } })
          reject(new RpcError(RPC.cancelled, CANCELLED))
        }
        const forget = () => signal?.removeEventListener("abort", cancel)
        signal?.addEventListener("abort", cancel, { once: true })
        waiting.set(String(id), {
          settle: (value) => (forget(), resolve(value)),
          fail: (error) => (forget(), reject(error)),
        })
        send({ id, method, params })
      }),
  }
}

const CANCELLED = "The request was cancelled."

function errorFields(error: unknown): JsonObject {
  if (!(error instanceof RpcError))
    return { code: RPC.internal, message: error instanceof Error ? error.message : String(error) }
  const { code, message, data } = error
  return { code, message, ...(data !== undefined && { data }) }
}

function textOf(message: Json | undefined): string {
  return typeof message === "string" ? message : "It failed without saying why."
}

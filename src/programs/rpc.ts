// JSON-RPC 2.0 in both directions, one message a line: how editors and agents of the Agent Client Protocol talk over pipes.
import type { Readable, Writable } from "node:stream"
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
  /** Resolves when the other side has closed its end: all that waited has been rejected, and what it had asked for, aborted. */
  closed: Promise<void>
}

export interface RpcOptions {
  /** By name, for requests and notifications alike. A request for any other is answered with `unknownMethod`. */
  methods: Readonly<Record<string, RpcMethod>>
  /** A line that is no message. */
  garbage?: (line: string) => void
  /** The longest line, in bytes. A longer one is skipped, and whatever waits for an answer is rejected. */
  mostBytes?: number
}

const MOST_BYTES = 64 * 1024 * 1024
const CANCEL = "$/cancel_request"

interface Waiting {
  settle: (value: Json) => void
  fail: (error: RpcError) => void
}

export function rpcPeer(input: Readable, output: Writable, options: RpcOptions): RpcPeer {
  const { methods, garbage = () => undefined, mostBytes = MOST_BYTES } = options
  const waiting = new Map<string, Waiting>()
  const answering = new Map<string, AbortController>()
  let [next, isClosed] = [0, false]

  // Whoever reads it may be gone, and then the input ends too.
  output.on("error", () => undefined)
  const send = (message: JsonObject) => {
    if (!isClosed && output.writable) output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
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

  function failAll(why: string): void {
    const asked = [...waiting.values()]
    waiting.clear()
    for (const { fail } of asked) fail(new RpcError(RPC.internal, why))
  }

  function take(line: string): void {
    const parsed = parseJson(line)
    if (!parsed.ok || !isObject(parsed.value)) return garbage(line)
    const { id, method, params } = parsed.value
    const fields = isObject(params) ? params : {}
    if (method === CANCEL) answering.get(JSON.stringify(fields.requestId ?? null))?.abort()
    else if (typeof method === "string") void answer(id, method, fields)
    else if (typeof id === "number" || typeof id === "string") received(id, parsed.value)
    else garbage(line)
  }

  const closed = new Promise<void>((settle) => {
    const end = () => {
      if (isClosed) return
      isClosed = true
      failAll("The other side has closed the connection.")
      for (const controller of answering.values()) controller.abort()
      settle()
    }
    const tooLong = () => failAll(`The other side sent a message of more than ${mostBytes} bytes.`)
    readLines(input, { take, tooLong, mostBytes })
    input.on("end", end).on("close", end).on("error", end)
  })

  return {
    closed,
    notify: (method, params) => send({ method, params }),
    request: (method, params, signal) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new RpcError(RPC.internal, "The other side has closed the connection."))
        if (signal?.aborted === true) return reject(new RpcError(RPC.cancelled, "The request was cancelled."))
        const id = ++next
        const cancel = () => {
          waiting.delete(String(id))
          send({ method: CANCEL, params: { requestId: id } })
          reject(new RpcError(RPC.cancelled, "The request was cancelled."))
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

function errorFields(error: unknown): JsonObject {
  if (!(error instanceof RpcError))
    return { code: RPC.internal, message: error instanceof Error ? error.message : String(error) }
  const { code, message, data } = error
  return { code, message, ...(data !== undefined && { data }) }
}

function textOf(message: Json | undefined): string {
  return typeof message === "string" ? message : "It failed without saying why."
}

interface LineReader {
  take: (line: string) => void
  tooLong: () => void
  mostBytes: number
}

/** Contract: holds at most `mostBytes` of an unfinished line. What follows the last line break is no line. */
function readLines(input: Readable, { take, tooLong, mostBytes }: LineReader): void {
  let [kept, size, isSkipping]: [Buffer[], number, boolean] = [[], 0, false]
  const add = (piece: Buffer) => {
    if (isSkipping) return
    size += piece.length
    if (size <= mostBytes) return void kept.push(piece)
    isSkipping = true
    kept = []
    tooLong()
  }
  const end = () => {
    const line = isSkipping ? "" : Buffer.concat(kept).toString("utf8").trim()
    ;[kept, size, isSkipping] = [[], 0, false]
    if (line !== "") take(line)
  }
  input.on("data", (chunk: Buffer | string) => {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk
    let start = 0
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
      add(bytes.subarray(start, at))
      end()
      start = at + 1
    }
    add(bytes.subarray(start))
  })
}

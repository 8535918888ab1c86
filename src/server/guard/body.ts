// Reads the body of a request as JSON, with limits on size and time that protect the server.
import { type Json, parseJson } from "../../model/json.ts"
import { invalid, problem } from "../answer/problem.ts"

export interface BodyLimits {
  bytes: number
  /** Milliseconds until all of it must have arrived. */
  ms: number
}

/** Enough for a dozen images in base64. */
export const BODY_LIMITS: BodyLimits = { bytes: 32 * 1024 * 1024, ms: 20_000 }

export type ReadBody = { ok: true; value: Json } | { ok: false; response: Response }

/** A missing body counts as an empty object: `POST …/back` needs none. */
export async function readBody(request: Request, limits: BodyLimits): Promise<ReadBody> {
  const type = request.headers.get("content-type") ?? ""
  if (type === "" && (await isEmpty(request, limits))) return { ok: true, value: {} }
  // A form on another site cannot send this type without a preflight request, which is never granted.
  if (!/^application\/json\s*(?:;|$)/i.test(type)) return no(wrongType())
  if (Number(request.headers.get("content-length") ?? 0) > limits.bytes) return no(tooLarge(limits))
  const bytes = await within(limits.ms, (signal) => collect(request.body, limits.bytes, signal))
  if (bytes === "late") return no(tooSlow(limits))
  if (bytes === "large") return no(tooLarge(limits))
  if (bytes === "cut") return no(cutOff())
  if (bytes.length === 0) return { ok: true, value: {} }
  const parsed = parseJson(new TextDecoder().decode(bytes))
  return parsed.ok ? parsed : no(invalid("The body of this request is not JSON.", "Send one JSON object."))
}

async function isEmpty({ body }: Request, { ms }: BodyLimits): Promise<boolean> {
  const bytes = await within(ms, (signal) => collect(body, 0, signal))
  return bytes instanceof Uint8Array
}

async function collect(
  body: Request["body"],
  most: number,
  signal: AbortSignal,
): Promise<Uint8Array | "large" | "cut"> {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = body?.getReader()
  if (reader === undefined) return new Uint8Array()
  signal.addEventListener("abort", () => void reader.cancel().catch(() => undefined))
  for (;;) {
    const next = await reader.read().catch(() => undefined)
    // The client has left in the middle of it.
    if (next === undefined) return "cut"
    const { done, value } = next
    if (done) break
    size += value.length
    if (size > most) {
      void reader.cancel().catch(() => undefined)
      return "large"
    }
    parts.push(value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

async function within<Value>(ms: number, work: (signal: AbortSignal) => Promise<Value>): Promise<Value | "late"> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<"late">((settle) => {
    timer = setTimeout(() => settle("late"), ms)
  })
  const first = await Promise.race([work(controller.signal), late]).finally(() => clearTimeout(timer))
  if (first === "late") controller.abort()
  return first
}

function no(response: Response): ReadBody {
  return { ok: false, response }
}

function wrongType(): Response {
  const detail = "The body of this request was not sent as JSON."
  return problem({ status: 415, code: "not-json", detail, advice: "Send it with: Content-Type: application/json" })
}

function tooLarge({ bytes }: BodyLimits): Response {
  const detail = `The body of this request is larger than ${Math.floor(bytes / 1024)} kB.`
  return problem({ status: 413, code: "too-large", detail, advice: "Send a smaller body." }, { connection: "close" })
}

/** Nobody is there to read it. */
function cutOff(): Response {
  const detail = "The body of this request ended before it was complete."
  return problem({ status: 400, code: "malformed", detail, advice: "Send it again." }, { connection: "close" })
}

function tooSlow({ ms }: BodyLimits): Response {
  const detail = `The body of this request did not arrive within ${Math.ceil(ms / 1000)} s.`
  return problem({ status: 408, code: "too-slow", detail, advice: "Send it again." }, { connection: "close" })
}

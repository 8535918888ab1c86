// Compresses answers that are text, for clients that accept it. Event streams and pictures go as they are.
import { promisify } from "node:util"
import { gzip } from "node:zlib"

/** A smaller answer fits into one packet as it is. */
const WORTHWHILE = 1400
const TEXT = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?json|image\/svg)/

const pack = promisify(gzip)

export async function compressed(request: Request, response: Response): Promise<Response> {
  const { body, headers, status } = response
  if (body === null || headers.has("content-encoding") || !TEXT.test(headers.get("content-type") ?? "")) return response
  const bytes = new Uint8Array(await response.arrayBuffer())
  // A cache must not give it to a client that asked for the other form.
  headers.set("vary", "accept-encoding")
  if (bytes.length < WORTHWHILE || !accepts(request)) return new Response(bytes, { status, headers })
  headers.set("content-encoding", "gzip")
  headers.delete("content-length")
  return new Response(await pack(bytes), { status, headers })
}

function accepts(request: Request): boolean {
  const offers = (request.headers.get("accept-encoding") ?? "").split(",")
  return offers.some((offer) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?:1(?:\.0*)?|0\.\d*[1-9]\d*)\s*)?$/i.test(offer))
}

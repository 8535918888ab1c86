// Responses to what Node could not parse as a request: problems, like all other refusals.
import type { Duplex } from "node:stream"
import { problem } from "../answer/problem.ts"
import { guarded } from "../guard/security-headers.ts"

/** `code`: of Node's error. */
export function notUnderstood(code?: string): Response {
  return guarded(problem(PROBLEMS[code ?? ""] ?? MALFORMED, { connection: "close" }))
}

const MALFORMED = {
  status: 400,
  code: "malformed",
  detail: "This is not a valid HTTP request: its address, its Host or its headers cannot be parsed.",
  advice: "Use the address that `retcon serve` printed.",
}

const PROBLEMS: Readonly<Record<string, typeof MALFORMED>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: "too-large",
    detail: "The address and the headers of this request are larger than 16 kB together.",
    advice: "Send what is long in the body of the request.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: "too-slow",
    detail: "The request was not complete in time.",
    advice: "Send it again.",
  },
}

/** Writes the response to a bare socket and closes it, even if the client keeps its end open. */
export async function refuse(raw: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  const lines = [
    `HTTP/1.1 ${response.status} Refused`,
    ...[...response.headers].filter(([name]) => name !== "connection").map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
    "connection: close",
  ]
  raw.once("finish", () => raw.destroy())
  raw.end(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), body]))
}

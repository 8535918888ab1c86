// Checks the token that was created when the server started.
import { createHash, timingSafeEqual } from "node:crypto"
import { problem } from "../answer/problem.ts"

/** After this many wrong tokens, each answer takes longer, up to a second. */
const FREE = 5
const STEP = 20
const LONGEST = 1000
/** The most requests that may wait for such an answer. The rest are refused at once. */
const MOST_WAITING = 64
/** Milliseconds without a wrong token after which the count starts over. A right token resets it too. */
const FORGET = 60_000

export interface TokenGuard {
  /** Undefined if the token is right. */
  check(given: string | undefined): Promise<Response | undefined>
}

export function tokenGuard(token: string, now: () => number): TokenGuard {
  const expected = digest(token)
  let [wrong, waiting, last] = [0, 0, 0]
  return {
    async check(given) {
      if (given !== undefined && timingSafeEqual(digest(given), expected)) return undefined
      const at = now()
      if (at - last > FORGET) wrong = 0
      last = at
      const wait = Math.min(LONGEST, Math.max(0, ++wrong - FREE) * STEP)
      if (waiting >= MOST_WAITING) return tooMany()
      if (wait > 0) {
        waiting++
        await new Promise((settle) => setTimeout(settle, wait))
        waiting--
      }
      return given === undefined ? missing() : unknown()
    },
  }
}

/** Digests have equal length, so that comparing them reveals nothing about the token. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest()
}

/** `Authorization: Bearer TOKEN` */
export function bearer(header: string | null): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,256})$/i.exec(header ?? "")?.[1]
}

const WHERE = "Take the token from the address that `retcon serve` printed, and send it as: Authorization: Bearer TOKEN"

function missing(): Response {
  const detail = "This request has no token."
  return problem({ status: 401, code: "no-token", detail, advice: WHERE }, { "www-authenticate": "Bearer" })
}

function unknown(): Response {
  const detail = "The token of this request is wrong. The server creates a new token at each start."
  return problem({ status: 401, code: "wrong-token", detail, advice: WHERE }, { "www-authenticate": "Bearer" })
}

function tooMany(): Response {
  const detail = "There were too many requests with a wrong token."
  return problem({ status: 429, code: "too-many", detail, advice: `Wait a minute. ${WHERE}` }, { "retry-after": "60" })
}

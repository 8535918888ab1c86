// Browsers that had a token once and may have the next one: each proves by its key that it is the same. The private key cannot leave the
// browser, and what it signs names this server's address, so a signature is of no use anywhere else.
import { createPublicKey, type JsonWebKey, verify } from "node:crypto"
import { isObject, type Json } from "../../model/json.ts"
import { browserProof } from "../../protocol/over-http.ts"
import { json, problem } from "../answer/problem.ts"
import { type BodyLimits, readBody } from "./body.ts"

/** Where the keys of browsers are kept. Contract: never throws. */
export interface BrowserKeys {
  read(): Json | undefined
  write(value: Json): void
  /** Milliseconds since 1970. */
  now(): number
  /** Nobody can guess it. */
  random(): string
}

export interface BrowserGuard {
  /** Answers a browser that asks for a challenge, or for the token; undefined for any other request. */
  answer(request: Request, path: string): Promise<Response | undefined>
  /** Remembers the key of a browser that has the token. */
  remember(request: Request): Promise<Response>
}

interface KnownBrowser {
  id: string
  key: { kty: "EC"; crv: "P-256"; x: string; y: string }
  /** Milliseconds since 1970 of its last use. */
  used: number
}

export const BROWSER_PATH = "/api/browsers"

const MOST_BROWSERS = 32
const FORGET = 30 * 24 * 3_600_000
/** Milliseconds in which a challenge must be answered, and the most that wait for it. */
const ANSWER_WITHIN = 60_000
const MOST_WAITING = 256
const SMALL: BodyLimits = { bytes: 4096, ms: 10_000 }

export function browserGuard(
  keys: BrowserKeys,
  { token, origins }: { token: string; origins: readonly string[] },
): BrowserGuard {
  const now = () => keys.now()
  const challenges = new Map<string, number>()

  function known(): KnownBrowser[] {
    const value = keys.read()
    return (Array.isArray(value) ? value : []).flatMap((each) => {
      const browser = parseBrowser(each)
      return browser === undefined || now() - browser.used > FORGET ? [] : [browser]
    })
  }

  function challenge(): Response {
    for (const [each, at] of challenges) if (now() - at > ANSWER_WITHIN) challenges.delete(each)
    if (challenges.size >= MOST_WAITING) return notAdmitted()
    const made = keys.random()
    challenges.set(made, now())
    return json({ challenge: made })
  }

  function admit(request: Request, { id, challenge, signature }: Record<string, Json | undefined>): Response {
    if (typeof challenge !== "string" || typeof signature !== "string") return notAdmitted()
    const asked = challenges.get(challenge)
    challenges.delete(challenge)
    const origin = request.headers.get("origin") ?? ""
    if (asked === undefined || now() - asked > ANSWER_WITHIN || !origins.includes(origin)) return notAdmitted()
    const all = known()
    const browser = all.find((each) => each.id === id)
    if (browser === undefined || !isSigned(browser, browserProof(origin, challenge), signature)) return notAdmitted()
    keys.write(printed([...all.filter((each) => each !== browser), { ...browser, used: now() }]))
    return json({ token })
  }

  return {
    async answer(request, path) {
      if (request.method !== "POST") return undefined
      if (path === `${BROWSER_PATH}/challenge`) return challenge()
      if (path !== `${BROWSER_PATH}/token`) return undefined
      const body = await readBody(request, SMALL)
      if (!body.ok) return body.response
      return isObject(body.value) ? admit(request, body.value) : notAdmitted()
    },
    async remember(request) {
      const body = await readBody(request, SMALL)
      if (!body.ok) return body.response
      const key = isObject(body.value) ? parseKey(body.value.key) : undefined
      if (key === undefined) return notAdmitted()
      const id = keys.random()
      const others = known().filter((each) => each.key.x !== key.x || each.key.y !== key.y)
      keys.write(printed([...others, { id, key, used: now() }]))
      return json({ id }, 201)
    },
  }
}

function printed(browsers: readonly KnownBrowser[]): Json {
  return browsers.slice(-MOST_BROWSERS).map(({ id, key, used }) => ({ id, key: { ...key }, used }))
}

function parseBrowser(value: Json): KnownBrowser | undefined {
  if (!isObject(value) || typeof value.id !== "string" || typeof value.used !== "number") return undefined
  const key = parseKey(value.key)
  return key && { id: value.id, key, used: value.used }
}

function parseKey(value: Json | undefined): KnownBrowser["key"] | undefined {
  if (!isObject(value) || value.kty !== "EC" || value.crv !== "P-256") return undefined
  const { x, y } = value
  if (typeof x !== "string" || typeof y !== "string" || x.length > 64 || y.length > 64) return undefined
  return { kty: "EC", crv: "P-256", x, y }
}

function isSigned({ key }: KnownBrowser, text: string, signature: string): boolean {
  try {
    const publicKey = createPublicKey({ key: key as JsonWebKey, format: "jwk" })
    const bytes = Buffer.from(signature, "base64url")
    return verify("sha256", Buffer.from(text), { key: publicKey, dsaEncoding: "ieee-p1363" }, bytes)
  } catch {
    return false
  }
}

function notAdmitted(): Response {
  const detail = "This browser is not known here."
  const advice = "Open the address that `retcon serve` printed."
  return problem({ status: 403, code: "unknown-browser", detail, advice })
}

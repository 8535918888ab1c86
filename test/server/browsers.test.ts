// A browser that had the token proves that it is the same, and gets the next one.
import { generateKeyPairSync, randomUUID, sign } from "node:crypto"
import { expect, test } from "vitest"
import type { Json } from "../../src/model/json.ts"
import { browserProof } from "../../src/protocol/over-http.ts"
import { browserGuard } from "../../src/server/guard/browsers.ts"

const ORIGIN = "http://127.0.0.1:4180"

/** A server, and what it keeps between starts. */
function server() {
  let [kept, now, starts]: [Json | undefined, number, number] = [undefined, 1_000_000, 0]
  const keys = {
    read: () => kept,
    write: (value: Json) => (kept = value),
    now: () => now,
    random: () => randomUUID(),
  }
  const start = () => browserGuard(keys, { token: `token-${++starts}`, origins: [ORIGIN] })
  return { start, pass: (ms: number) => (now += ms), kept: () => kept }
}

function request(path: string, body: object, origin = ORIGIN): [Request, string] {
  const headers = { "content-type": "application/json", origin }
  const at = `/api/browsers${path}`
  return [new Request(`${ORIGIN}${at}`, { method: "POST", body: JSON.stringify(body), headers }), at]
}

type Guard = ReturnType<ReturnType<typeof server>["start"]>

async function asked(
  guard: Guard,
  path: string,
  body: object,
  origin?: string,
): Promise<[number, Record<string, string>]> {
  const response = await guard.answer(...request(path, body, origin))
  return [response?.status ?? 0, (await response?.json()) as Record<string, string>]
}

/** A browser with a key, known to the server. */
async function browser(guard: Guard) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const key = publicKey.export({ format: "jwk" })
  const remembered = await guard.remember(request("", { key })[0])
  const { id } = (await remembered.json()) as { id: string }
  return {
    status: remembered.status,
    async enter(
      at: Guard,
      { says = ORIGIN, from = ORIGIN, challenge }: { says?: string; from?: string; challenge?: string } = {},
    ) {
      const given = challenge ?? (await asked(at, "/challenge", {}))[1].challenge ?? ""
      const signature = sign("sha256", Buffer.from(browserProof(says, given)), {
        key: privateKey,
        dsaEncoding: "ieee-p1363",
      })
      return asked(at, "/token", { id, challenge: given, signature: signature.toString("base64url") }, from)
    },
  }
}

test("it gets the token of the next start, and of the one after that", async () => {
  const { start } = server()
  const known = await browser(start())
  expect(known.status).toBe(201)
  expect(await known.enter(start())).toEqual([200, { token: "token-2" }])
  expect(await known.enter(start())).toEqual([200, { token: "token-3" }])
})

test("what it signed for another address, or what was signed elsewhere, is of no use", async () => {
  const { start } = server()
  const [guard, elsewhere] = [start(), server().start()]
  const known = await browser(guard)
  expect((await known.enter(guard, { says: "http://127.0.0.1:4181" }))[0]).toBe(403)
  expect((await known.enter(guard, { from: "http://127.0.0.1:4181" }))[0]).toBe(403)
  const [, { challenge = "" }] = await asked(elsewhere, "/challenge", {})
  expect((await known.enter(guard, { challenge }))[0]).toBe(403)
})

test("a challenge is good once, and for a minute", async () => {
  const { start, pass } = server()
  const guard = start()
  const known = await browser(guard)
  const [, { challenge = "" }] = await asked(guard, "/challenge", {})
  expect((await known.enter(guard, { challenge }))[0]).toBe(200)
  expect((await known.enter(guard, { challenge }))[0]).toBe(403)
  const [, late] = await asked(guard, "/challenge", {})
  pass(61_000)
  expect((await known.enter(guard, { challenge: late.challenge ?? "" }))[0]).toBe(403)
})

test("one that has not come for a month is forgotten, and so is the oldest of many", async () => {
  const { start, pass, kept } = server()
  const guard = start()
  const known = await browser(guard)
  pass(29 * 24 * 3_600_000)
  expect((await known.enter(guard))[0]).toBe(200)
  for (let each = 0; each < 40; each++) await browser(guard)
  expect(kept()).toHaveLength(32)
  expect((await known.enter(guard))[0]).toBe(403)
  const other = await browser(guard)
  pass(31 * 24 * 3_600_000)
  expect((await other.enter(guard))[0]).toBe(403)
})

test.each([{}, { id: 1 }, { id: "x", challenge: "y" }, { id: "x", challenge: "y", signature: "z" }])(
  "%j lets nobody in",
  async (body) => {
    const { start } = server()
    expect((await asked(start(), "/token", body))[0]).toBe(403)
  },
)

test("what is no key is not remembered, and a damaged list is none", async () => {
  const guard = browserGuard(
    { read: () => [7, { id: "a" }, null], write: () => undefined, now: () => 0, random: () => "" },
    { token: "t", origins: [] },
  )
  for (const key of [undefined, 7, { kty: "RSA" }, { kty: "EC", crv: "P-256", x: "a".repeat(100), y: "b" }])
    expect((await guard.remember(request("", { key })[0])).status).toBe(403)
})

test("those who never answer their challenge keep nobody else out for long", async () => {
  const { start, pass } = server()
  const guard = start()
  const known = await browser(guard)
  for (let each = 0; each < 300; each++) await asked(guard, "/challenge", {})
  expect((await asked(guard, "/challenge", {}))[0]).toBe(403)
  pass(61_000)
  expect((await known.enter(guard))[0]).toBe(200)
})

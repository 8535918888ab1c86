// A host whose model talks to a local fake provider; and what makes one request an extension of another.
import { expect, onTestFinished } from "vitest"
import type { HostDeps } from "../../src/app/port/host-deps.ts"
import { isObject, type Json, type JsonObject } from "../../src/model/json.ts"
import { holdTo, type Vendor, type VendorLimits } from "../provider/fakes/vendors.ts"
import { type Fake, modelAt, type WireAnswer, WireServer } from "../provider/wire/server.ts"
import { makeTestHost, type TestHost } from "../test-host.ts"

export interface WireHost extends TestHost {
  server: WireServer
  /** What the provider answers next, in order. */
  say(...answers: WireAnswer[]): void
  /** The body of request `n`; negative: from the end. */
  body(n: number): JsonObject
}

/** In front of a vendor's fake, each request must keep to the vendor's rules. */
export async function wireHost(
  fake: Fake | Vendor,
  changes: Partial<HostDeps> = {},
  limits: Partial<VendorLimits> = {},
): Promise<WireHost> {
  const server = await WireServer.start()
  onTestFinished(() => server.close())
  const facts = limits.window === undefined ? {} : { window: limits.window }
  if ("rules" in fake) holdTo(server, fake, limits)
  const made = makeTestHost({ model: async () => modelAt(server, fake, { facts }), ...changes })
  return {
    ...made,
    server,
    say: (...answers) => server.reply(...answers.map((answer) => fake.reply(answer))),
    body(n) {
      const body = server.bodies.at(n)
      if (body === undefined) throw new Error(`there is no request ${n}`)
      return body
    },
  }
}

/**
 * The later request is the earlier one and more: all but the messages is the same, all messages but the last are the
 * same, and the last has the same shape and at most more parts. Cache markers do not count.
 */
export function expectExtends(later: JsonObject, earlier: JsonObject): void {
  const [before, after] = [split(earlier), split(later)]
  expect(after.rest).toEqual(before.rest)
  const end = before.messages.length - 1
  expect(after.messages.slice(0, end)).toEqual(before.messages.slice(0, end))
  const [last, same] = [before.messages[end] as JsonObject, after.messages[end] as JsonObject]
  const field = "parts" in last ? "parts" : "content"
  const [content, extended] = [last[field], same[field]]
  expect({ ...same, [field]: null }).toEqual({ ...last, [field]: null })
  expect(Array.isArray(extended)).toBe(Array.isArray(content))
  if (Array.isArray(content)) expect((extended as Json[]).slice(0, content.length)).toEqual(content)
  else expect(extended).toEqual(content)
}

function split(body: JsonObject): { rest: JsonObject; messages: JsonObject[] } {
  const clean = unmarked(body) as JsonObject
  const key = ["messages", "contents", "input"].find((name) => Array.isArray(clean[name])) as string
  const { [key]: messages, ...rest } = clean
  return { rest, messages: (messages as Json[]).filter(isObject) }
}

function unmarked(value: Json): Json {
  if (Array.isArray(value)) return value.map(unmarked)
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([key]) => key !== "cache_control")
  return Object.fromEntries(entries.map(([key, each]) => [key, unmarked(each)]))
}

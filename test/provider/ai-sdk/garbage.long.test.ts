// Whatever a provider sends: no throw, and exactly one end.
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { eventsOf, FAKES, type Fake, modelAt, READ, type WireReply, WireServer } from "../wire/server.ts"

describe.each(Object.values(FAKES) as Fake[])("$endpoint.provider $endpoint.name", (fake) => {
  let server: WireServer
  beforeAll(async () => {
    server = await WireServer.start()
  })
  afterAll(() => server.close())

  const answer = fake.reply({
    reasoning: "hm",
    text: "hello",
    calls: [{ id: "c", name: "Read", input: { path: "a" } }],
  })
  const events = typeof answer === "object" && "events" in answer ? answer.events : []
  const anyJson = fc.json({ maxDepth: 3 }).map((json) => `data: ${json}\n\n`)
  const event = fc.oneof(
    fc.constantFrom(...events),
    anyJson,
    fc.string({ maxLength: 40 }).map((text) => `data: ${text}\n\n`),
  )
  const cut = fc.constantFrom(...events).chain((text) => fc.nat(text.length).map((end) => text.slice(0, end)))
  const reply: fc.Arbitrary<WireReply> = fc.oneof(
    fc.record({
      events: fc.array(fc.oneof(event, cut), { maxLength: 12 }),
      ending: fc.constantFrom("end" as const, "reset" as const),
    }),
    fc.record({
      status: fc.integer({ min: 400, max: 599 }),
      body: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<null>),
    }),
  )

  test("ends once, at the end, and closes what it opened", async () => {
    await fc.assert(
      fc.asyncProperty(reply, async (garbage) => {
        server.reply(garbage)
        const seen = await eventsOf(modelAt(server, fake, { retry: { retries: 0 } }), { tools: [READ] })
        const ends = seen.filter(({ type }) => type === "finish" || type === "failed")
        expect(ends).toEqual([seen.at(-1)])
        const count = (type: string) => seen.filter((each) => each.type === type).length
        expect(count("text-start")).toBe(count("text-end"))
        expect(count("reasoning-start")).toBe(count("reasoning-end"))
      }),
      { numRuns: 40 },
    )
  })
})

test("a request that cannot be made is a failure too", async () => {
  const endpoint = { ...FAKES.openai.endpoint, baseUrl: "http://user:password-1@127.0.0.1:9/v1", key: undefined }
  const server = await WireServer.start()
  const seen = await eventsOf(modelAt(server, FAKES.openai, { endpoint }))
  expect(seen).toMatchObject([{ type: "failed" }])
  expect(JSON.stringify(seen)).not.toContain("password-1")
  await server.close()
})

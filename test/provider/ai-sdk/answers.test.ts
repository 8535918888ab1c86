// What comes of the providers' streams.
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { ModelEvent } from "../../../src/provider/port/port.ts"
import { anthropicEvents } from "../wire/anthropic.ts"
import { chatEvents } from "../wire/openai.ts"
import { eventsOf, FAKES, type Fake, modelAt, READ, user, WireServer } from "../wire/server.ts"

let server: WireServer
beforeEach(async () => {
  server = await WireServer.start()
})
afterEach(() => server.close())

const types = (events: readonly ModelEvent[]) => events.map((event) => event.type)
const joined = (events: readonly ModelEvent[], type: ModelEvent["type"]) =>
  events.flatMap((event) => (event.type === type && "text" in event ? [event.text] : [])).join("")

function finishOf(events: readonly ModelEvent[]): Extract<ModelEvent, { type: "finish" }> {
  const last = events.at(-1)
  if (last?.type !== "finish") throw new Error(`expected finish, got ${JSON.stringify(last)}`)
  return last
}

describe.each(Object.values(FAKES) as Fake[])("$endpoint.provider $endpoint.name", (fake) => {
  const ask = async (answer: Parameters<Fake["reply"]>[0]) => {
    server.reply(fake.reply(answer))
    return eventsOf(modelAt(server, fake), { tools: [READ] })
  }

  test("streams a text and ends with one finish that contains it", async () => {
    const events = await ask({ text: "Hello there, wie geht's? 你好" })
    expect(joined(events, "text-delta")).toBe("Hello there, wie geht's? 你好")
    expect(types(events).filter((type) => !type.endsWith("-delta"))).toEqual(["text-start", "text-end", "finish"])
    expect(finishOf(events)).toMatchObject({
      reason: "stop",
      content: [{ type: "text", text: "Hello there, wie geht's? 你好" }],
    })
  })

  test("reports tool calls with their parsed input, after the text", async () => {
    const events = await ask({
      text: "Reading.",
      calls: [{ id: "c1", name: "Read", input: { path: "a.txt", limit: 3 } }],
    })
    expect(types(events).slice(-2)).toEqual(["tool-call", "finish"])
    expect(events.at(-2)).toMatchObject({ name: "Read", input: { path: "a.txt", limit: 3 } })
    expect(finishOf(events)).toMatchObject({
      reason: "tool-calls",
      content: [{ type: "text" }, { type: "tool-call", name: "Read" }],
    })
  })

  test("takes two hundred calls in one answer", async () => {
    const calls = Array.from({ length: 200 }, (_, n) => ({ id: `c${n}`, name: "Read", input: { path: `${n}.txt` } }))
    const events = await ask({ calls })
    const ids = events.flatMap((event) => (event.type === "tool-call" ? [event.call] : []))
    expect(new Set(ids).size).toBe(200)
  })

  test("an empty answer is a finish without content", async () => {
    const events = await ask({})
    expect(types(events)).toEqual(["finish"])
    expect(finishOf(events)).toMatchObject({ reason: "stop", content: [] })
  })

  test("cached tokens are counted separately", async () => {
    const events = await ask({ text: "ok", usage: { input: 10, output: 5, cacheRead: 1_000 } })
    expect(finishOf(events).usage).toMatchObject({ input: 10, output: 5, cacheRead: 1_000 })
  })

  test("what it made is sent back to it as it was", async () => {
    const reasons = fake.endpoint.kind !== "openai" || fake.endpoint.api === "responses"
    const answer = {
      text: "Reading.",
      calls: [{ id: "c1", name: "Read", input: { path: "a.txt" } }],
      ...(reasons && { reasoning: "let me see" }),
    }
    const first = finishOf(await ask(answer))
    const call = first.content.find((part) => part.type === "tool-call")
    const result = { type: "tool-result" as const, call: call?.call ?? "", name: "Read", output: "one" }
    server.reply(fake.reply({ text: "ok" }))
    await eventsOf(modelAt(server, fake), {
      messages: [user("hi"), { role: "assistant", content: first.content }, { role: "tool", content: [result] }],
    })
    const sent = server.requests.at(-1)?.text ?? ""
    if (reasons) expect(sent).toContain("let me see")
    if (fake.endpoint.api === "responses") expect(sent).toContain('"encrypted_content":"enc-1"')
    if (fake.endpoint.provider === "anthropic") expect(sent).toContain('"signature":"sig-1"')
    if (fake.endpoint.provider === "google") expect(sent).toContain('"thoughtSignature":"sig-1"')
  })
})

test.each([
  ["anthropic", "max_tokens", "length"],
  ["anthropic", "refusal", "filter"],
  ["anthropic", "something_new", "other"],
  ["openai", "length", "length"],
  ["openai", "content_filter", "filter"],
  ["ollama", "length", "length"],
  ["google", "MAX_TOKENS", "length"],
  ["google", "SAFETY", "filter"],
] as const)("%s: %s is the reason %s", async (provider, finish, reason) => {
  server.reply(FAKES[provider].reply({ text: "so far", finish }))
  expect(finishOf(await eventsOf(modelAt(server, FAKES[provider]))).reason).toBe(reason)
})

test.each(["anthropic", "openai", "ollama"] as const)(
  "%s: input that is not JSON is reported as such, with what was sent",
  async (provider) => {
    const fake: Fake = FAKES[provider]
    server.reply(
      fake.reply({
        calls: [{ id: "c1", name: "Read", input: '{"path": "a.t' }],
        finish: provider === "anthropic" ? "max_tokens" : "length",
      }),
    )
    const events = await eventsOf(modelAt(server, fake), { tools: [READ] })
    expect(events.at(-2)).toMatchObject({
      type: "tool-call",
      input: '{"path": "a.t',
      invalid: expect.stringMatching(/JSON/),
    })
  },
)

test("a call id that the conversation already has gets another one", async () => {
  server.reply(FAKES.ollama.reply({ calls: [{ id: "call_0", name: "Read", input: {} }] }))
  const events = await eventsOf(modelAt(server, FAKES.ollama), {
    messages: [
      user("hi"),
      { role: "assistant", content: [{ type: "tool-call", call: "call_0", name: "Read", input: {} }] },
      { role: "tool", content: [{ type: "tool-result", call: "call_0", output: "one" }] },
    ],
  })
  expect(events.at(-2)).toMatchObject({ type: "tool-call", call: "call_0-2" })
})

test("a server that says stop although it calls tools is understood", async () => {
  server.reply(FAKES.ollama.reply({ calls: [{ id: "c1", name: "Read", input: {} }], finish: "stop" }))
  expect(finishOf(await eventsOf(modelAt(server, FAKES.ollama))).reason).toBe("tool-calls")
})

test("Anthropic's cache writes are counted, and hidden reasoning is kept to be sent back", async () => {
  const events = anthropicEvents({ text: "ok", usage: { input: 10, output: 5, cacheRead: 100, cacheWrite: 50 } })
  const redacted = [
    `event: content_block_start\ndata: {"type":"content_block_start","index":7,"content_block":{"type":"redacted_thinking","data":"xyz"}}\n\n`,
    `event: content_block_stop\ndata: {"type":"content_block_stop","index":7}\n\n`,
  ]
  server.reply({ events: [...events.slice(0, 2), ...redacted, ...events.slice(2)] })
  const finish = finishOf(await eventsOf(modelAt(server, FAKES.anthropic)))
  expect(finish.usage).toEqual({ input: 10, output: 5, cacheRead: 100, cacheWrite: 50 })
  server.reply(FAKES.anthropic.reply({ text: "ok" }))
  await eventsOf(modelAt(server, FAKES.anthropic), {
    messages: [user("a"), { role: "assistant", content: finish.content }, user("b")],
  })
  expect(server.requests.at(-1)?.text).toContain('{"type":"redacted_thinking","data":"xyz"}')
})

test("cache reads that a server reports in its own field are counted", async () => {
  const events = chatEvents({ text: "ok" }).map((event) =>
    event.replace('"prompt_tokens_details":{"cached_tokens":0}', '"prompt_cache_hit_tokens":60'),
  )
  server.reply({ events })
  expect(finishOf(await eventsOf(modelAt(server, FAKES.ollama))).usage).toEqual({
    input: 40,
    output: 20,
    cacheRead: 60,
  })
})

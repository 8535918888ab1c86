// Vendors add events and blocks, and say that clients ignore what they do not know: the answer is whole without them.
import { afterEach, beforeEach, expect, test } from "vitest"
import type { JsonObject } from "../../../src/model/json.ts"
import { anthropicEvents } from "../wire/anthropic.ts"
import { geminiEvents } from "../wire/gemini.ts"
import { chatEvents } from "../wire/openai.ts"
import { responsesEvents } from "../wire/responses.ts"
import { eventsOf, FAKES, type Fake, modelAt, WireServer } from "../wire/server.ts"

let server: WireServer
beforeEach(async () => {
  server = await WireServer.start()
})
afterEach(() => server.close())

const plain = (data: JsonObject) => `data: ${JSON.stringify(data)}\n\n`
const named = (type: string, data: JsonObject) => `event: ${type}\n${plain({ type, ...data })}`
const delta = (value: JsonObject) => plain({ id: "1", choices: [{ index: 0, delta: value, finish_reason: null }] })
const hologram = { type: "hologram", id: "h1" }

const CASES: [what: string, fake: Fake, answer: string[], unknown: string[], told: string | undefined][] = [
  ["Anthropic: an event", FAKES.anthropic, anthropicEvents({ text: "hello" }), [named("mood", { mood: 1 })], "mood"],
  [
    "Anthropic: a block",
    FAKES.anthropic,
    anthropicEvents({ text: "hello" }),
    [
      named("content_block_start", { index: 7, content_block: hologram }),
      named("content_block_delta", { index: 7, delta: { type: "hologram_delta", light: 1 } }),
      named("content_block_stop", { index: 7 }),
    ],
    "hologram",
  ],
  ["Responses: an event", FAKES.responses, responsesEvents({ text: "hello" }), [named("response.mood", {})], undefined],
  [
    "Responses: an item",
    FAKES.responses,
    responsesEvents({ text: "hello" }),
    [
      named("response.output_item.added", { output_index: 9, item: hologram }),
      named("response.output_item.done", { output_index: 9, item: hologram }),
    ],
    undefined,
  ],
  ["chat: a chunk", FAKES.openai, chatEvents({ text: "hello" }), [plain({ object: "mood" })], "mood"],
  ["chat: a field", FAKES.openai, chatEvents({ text: "hello" }), [delta({ hologram: { light: 1 } })], undefined],
  [
    "chat: a call of another type",
    FAKES.openai,
    chatEvents({ text: "hello" }),
    [delta({ tool_calls: [{ index: 5, ...hologram }] })],
    "tool_calls of another type",
  ],
  ["a compatible server: a chunk", FAKES.ollama, chatEvents({ text: "hello" }), [plain({ object: "mood" })], "mood"],
  ["Gemini: a chunk", FAKES.google, geminiEvents({ text: "hello" }), [plain({ mood: 1 })], undefined],
  [
    "Gemini: a part",
    FAKES.google,
    geminiEvents({ text: "hello" }),
    [plain({ candidates: [{ content: { role: "model", parts: [{ hologram: { light: 1 } }] }, index: 0 }] })],
    undefined,
  ],
]

test.each(CASES)("%s that nobody knows is ignored", async (_, fake, [first = "", ...rest], unknown, told) => {
  server.reply({ events: [first, ...unknown, ...rest] })
  const events = await eventsOf(modelAt(server, fake))
  expect(events.at(-1)).toMatchObject({ type: "finish", content: [{ type: "text", text: "hello" }] })
  expect(server.requests).toHaveLength(1)
  const notices = events.flatMap((event) => (event.type === "notice" ? [event.text] : []))
  expect(notices.join()).toMatch(told === undefined ? /^$/ : new RegExp(`ignored: ${told}\\.$`))
})

test("what is ignored is counted, and reported once", async () => {
  const [first = "", ...rest] = anthropicEvents({ text: "hello" })
  const events = [first, named("mood", {}), named("mood", {}), ...rest]
  server.reply({ events }, { events })
  const model = modelAt(server, FAKES.anthropic)
  const notices = [...(await eventsOf(model)), ...(await eventsOf(model))].filter(({ type }) => type === "notice")
  expect(notices).toEqual([{ type: "notice", text: expect.stringContaining("mood (2 times)") }])
})

test("an event that arrives in pieces, between other pieces, is still one event", async () => {
  const whole = anthropicEvents({ text: "grüße 你好" }).join("")
  const pieces = whole.match(/[\s\S]{1,5}/g) ?? []
  server.reply({ events: pieces })
  expect((await eventsOf(modelAt(server, FAKES.anthropic))).at(-1)).toMatchObject({
    type: "finish",
    content: [{ type: "text", text: "grüße 你好" }],
  })
})

// What passes from a vendor's stream to the SDK, byte by byte.
import { expect, test } from "vitest"
import { Ignored, knownEvents } from "../../../src/provider/ai-sdk/known-events.ts"
import type { Endpoint } from "../../../src/provider/ai-sdk/sdk.ts"

const ANTHROPIC: Endpoint = { kind: "anthropic", name: "x", provider: "x", baseUrl: "http://x", key: undefined }
const CHAT: Endpoint = { ...ANTHROPIC, kind: "openai", api: "chat" }

/** The stream as it comes out when it comes in in pieces of `size` bytes. */
async function passed(endpoint: Endpoint, text: string, size = text.length): Promise<{ text: string; told: string[] }> {
  const ignored = new Ignored()
  const filter = knownEvents(endpoint, (what) => ignored.add(what))
  if (filter === undefined) return { text, told: ["nothing is looked at"] }
  const bytes = Buffer.from(text)
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size))
      controller.close()
    },
  })
  const out: Uint8Array[] = []
  for await (const piece of source.pipeThrough(filter)) out.push(piece)
  return { text: Buffer.concat(out).toString("utf8"), told: ignored.words("x") }
}

const chunk = (data: object) => `data: ${JSON.stringify(data)}\n\n`
const known = chunk({ choices: [{ delta: { content: "é" } }] })
const blocks =
  'event: content_block_start\r\ndata: {"type":"content_block_start","content_block":{"type":"text"}}\r\n\r\n'

test.each([1, 2, 7, 1000])("what is known passes unchanged, in pieces of %i bytes", async (size) => {
  const text = `${known}: a comment\n\n${known}data: [DONE]\n\ndata: torn`
  expect(await passed(CHAT, text, size)).toEqual({ text, told: [] })
  expect(await passed(ANTHROPIC, blocks + blocks, size)).toEqual({ text: blocks + blocks, told: [] })
})

test("what is unknown is removed, counted and reported in one sentence", async () => {
  const mood = 'data: {"type":"mood"}\n\n'
  const { text, told } = await passed(ANTHROPIC, `${mood}${blocks}${mood}data: {"a":1}\n\n`)
  expect(text).toBe(blocks)
  expect(told).toEqual([
    "x sent something that this version of retcon does not know and ignored: mood (2 times), an event without a name.",
  ])
})

test("an unknown block goes with all its events, and no other", async () => {
  const event = (type: string, more: object) => `data: ${JSON.stringify({ type, ...more })}\n\n`
  const unknown = [
    event("content_block_start", { index: 1, content_block: { type: "hologram" } }),
    event("content_block_delta", { index: 1, delta: { type: "text_delta" } }),
    event("content_block_stop", { index: 1 }),
  ]
  const other = [
    event("content_block_delta", { index: 0, delta: { type: "text_delta" } }),
    event("message_delta", { index: 1 }),
  ]
  expect((await passed(ANTHROPIC, [...unknown, ...other].join(""))).text).toBe(other.join(""))
  const odd = event("content_block_delta", { index: 0, delta: { type: "hologram_delta" } })
  expect(await passed(ANTHROPIC, odd + other.join(""))).toMatchObject({ text: other.join("") })
})

test("of a chunk with calls of another type, the rest passes", async () => {
  const call = { index: 0, type: "function", function: { name: "f" } }
  const text = chunk({ choices: [{ delta: { tool_calls: [{ type: "hologram" }, call] } }, { x: 1 }] })
  const { text: out, told } = await passed(CHAT, text)
  expect(out).toBe(chunk({ choices: [{ delta: { tool_calls: [call] } }, { x: 1 }] }))
  expect(told).toHaveLength(1)
})

test("a chunk without choices passes when it has a usage or an error", async () => {
  const kept = chunk({ usage: { total_tokens: 1 } }) + chunk({ error: { message: "no" } })
  expect(await passed(CHAT, kept + chunk({ object: "mood" }))).toMatchObject({ text: kept })
})

test("OpenAI's responses and Gemini's answers are left to the SDK", () => {
  expect(knownEvents({ ...CHAT, api: "responses" }, () => undefined)).toBeUndefined()
  expect(knownEvents({ ...CHAT, kind: "google" }, () => undefined)).toBeUndefined()
  expect(knownEvents({ ...CHAT, kind: "openai-compatible" }, () => undefined)).toBeDefined()
})

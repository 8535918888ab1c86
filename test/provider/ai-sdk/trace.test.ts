// A trace, for somebody who looks for a fault: each request, what came of it, and why another one followed. No key is in it.
import { expect, onTestFinished, test } from "vitest"
import type { JsonObject } from "../../../src/model/json.ts"
import { tracedFetch } from "../../../src/provider/ai-sdk/model.ts"
import { strictServer, VENDORS } from "../fakes/vendors.ts"
import { eventsOf, modelAt, SECRET, user, type WireReply } from "../wire/server.ts"

const VENDOR = VENDORS.anthropic

async function traced(replies: WireReply[], more: { window?: number; text?: string } = {}): Promise<JsonObject[]> {
  const server = await strictServer(VENDOR, more.window === undefined ? {} : { window: more.window })
  onTestFinished(() => server.close())
  server.reply(...replies)
  server.otherwise = () => VENDOR.reply({ text: "ok" })
  const trace: JsonObject[] = []
  const facts = more.window === undefined ? {} : { window: more.window }
  const model = modelAt(server, VENDOR, { trace: (what) => trace.push(what as JsonObject), facts })
  await eventsOf(model, { messages: [user(more.text ?? "hi")] })
  return trace
}

test("an answer: the whole request without the key, how the answer came, and how it ended", async () => {
  const trace = await traced([])
  expect(trace).toMatchObject([
    { type: "request", url: expect.stringMatching(/\/messages$/), body: { messages: [{ role: "user" }] } },
    { type: "response", status: 200, contentType: expect.stringContaining("text/event-stream") },
    { type: "answer", reason: "stop", stopReason: "end_turn", ignored: [] },
  ])
  expect(trace[0]?.headers).toMatchObject({ "x-api-key": "[hidden]", "content-type": "application/json" })
  expect(trace[1]).not.toHaveProperty("text")
  expect(JSON.stringify(trace)).not.toContain(SECRET)
})

test("a refusal: its text, its kind, and how long retcon waits before the next attempt", async () => {
  const trace = await traced([
    { status: 529, body: { type: "error", error: { type: "overloaded_error", message: "Busy." } } },
  ])
  expect(trace.map(({ type }) => type)).toEqual([
    "request",
    "response",
    "failed",
    "retry",
    "request",
    "response",
    "answer",
  ])
  expect(trace[1]).toMatchObject({ status: 529, text: expect.stringContaining("Busy.") })
  expect(trace[2]).toMatchObject({ attempt: 1, kind: "server", mayHelp: true })
  expect(trace[3]).toMatchObject({ attempt: 1, waitMs: expect.any(Number) })
})

test("an output that would not fit: how much is asked for instead", async () => {
  const trace = await traced([], { window: 16_000, text: "word ".repeat(10_000) })
  const types = trace.map(({ type }) => type)
  expect(types).toEqual(["request", "response", "failed", "output-limit", "request", "response", "answer"])
  expect(trace[3]?.tokens).toBe((trace[4]?.body as JsonObject | undefined)?.max_tokens)
})

test("a connection that fails: why, and the caller gets the error", async () => {
  const trace: JsonObject[] = []
  const fetch = tracedFetch(
    () => Promise.reject(new Error("no route")),
    (what) => trace.push(what as JsonObject),
  )
  const url = "https://name:password@host.test/v1?key=abc&alt=sse"
  await expect(
    fetch(url, { method: "POST", headers: { authorization: "Bearer abc" }, body: "not JSON" }),
  ).rejects.toThrow("no route")
  expect(trace).toEqual([
    {
      type: "request",
      url: "https://host.test/v1?key=[hidden]&alt=sse",
      headers: { authorization: "[hidden]" },
      body: null,
    },
    { type: "response", problem: "no route" },
  ])
})

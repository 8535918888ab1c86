// A person stops a step, or the provider falls silent.
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { ModelEvent } from "../../../src/provider/port/port.ts"
import type { Timing } from "../../../src/provider/port/timing.ts"
import { anthropicEvents } from "../wire/anthropic.ts"
import { collectGarbage } from "../wire/garbage.ts"
import { endlessReply, FAKES, type Fake, modelAt, NoWaiting, user, WireServer } from "../wire/server.ts"

let server: WireServer
beforeEach(async () => {
  server = await WireServer.start()
})
afterEach(() => server.close())

const HANGS = { events: [], ending: "hang" as const }
const STOPPED = { type: "failed", problem: { kind: "aborted", message: "Stopped." } }

describe.each(Object.values(FAKES) as Fake[])("$endpoint.provider $endpoint.name", (fake) => {
  test("stopped before the first byte, it ends at once and releases the connection", async () => {
    server.reply(HANGS)
    const controller = new AbortController()
    const steps = modelAt(server, fake).step({ messages: [user("hi")], tools: [], signal: controller.signal })
    const first = steps[Symbol.asyncIterator]().next()
    const request = await server.request(0)
    await collectGarbage()
    controller.abort()
    expect((await first).value).toEqual(STOPPED)
    await request.gone
  })

  test("stopped while the server keeps sending, the connection is closed", async () => {
    server.reply(endlessReply(fake))
    const controller = new AbortController()
    const events: ModelEvent[] = []
    for await (const event of modelAt(server, fake).step({
      messages: [user("hi")],
      tools: [],
      signal: controller.signal,
    })) {
      events.push(event)
      if (event.type !== "text-delta" || controller.signal.aborted) continue
      await collectGarbage()
      controller.abort()
    }
    expect(events.at(-1)).toEqual(STOPPED)
    await server.requests[0]?.gone
  })

  test("stopped between its first byte and its first event, the connection is closed too", async () => {
    server.reply({ events: [": waiting\n\n"], ending: "goes-on" })
    const controller = new AbortController()
    let arrived = () => {}
    const answered = new Promise<void>((settle) => (arrived = settle))
    const noted: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      arrived()
      return response
    }
    const model = modelAt(server, fake, { fetch: noted })
    const first = model.step({ messages: [user("hi")], tools: [], signal: controller.signal })
    const next = first[Symbol.asyncIterator]().next()
    await answered
    await collectGarbage()
    controller.abort()
    expect((await next).value).toEqual(STOPPED)
    await server.requests[0]?.gone
  })

  test("stopped before it starts, it sends nothing that is answered", async () => {
    const controller = new AbortController()
    controller.abort()
    const events: ModelEvent[] = []
    for await (const event of modelAt(server, fake).step({
      messages: [user("hi")],
      tools: [],
      signal: controller.signal,
    }))
      events.push(event)
    expect(events).toEqual([STOPPED])
  })
})

test("stopped in mid-stream, what is open is closed and one failure ends it", async () => {
  server.reply({ events: anthropicEvents({ text: "hello there" }).slice(0, 4), ending: "hang" })
  const controller = new AbortController()
  const events: ModelEvent[] = []
  for await (const event of modelAt(server, FAKES.anthropic).step({
    messages: [user("hi")],
    tools: [],
    signal: controller.signal,
  })) {
    events.push(event)
    if (event.type === "text-delta") controller.abort()
  }
  expect(events.map((event) => event.type)).toEqual(["text-start", "text-delta", "text-end", "failed"])
  expect(events.at(-1)).toEqual(STOPPED)
  await server.requests[0]?.gone
})

test("stopped while waiting to retry, it does not retry", async () => {
  server.reply({ status: 500, body: "" })
  const controller = new AbortController()
  const timing = new NoWaiting()
  const events: ModelEvent[] = []
  for await (const event of modelAt(server, FAKES.openai, { timing }).step({
    messages: [user("hi")],
    tools: [],
    signal: controller.signal,
  })) {
    events.push(event)
    if (event.type === "retry") controller.abort()
  }
  expect(events.map((event) => event.type)).toEqual(["retry", "failed"])
  expect(server.requests).toHaveLength(1)
})

test("a caller that loses interest closes the connection", async () => {
  server.reply({ events: anthropicEvents({ text: "hello there" }).slice(0, 4), ending: "hang" })
  const { signal } = new AbortController()
  for await (const event of modelAt(server, FAKES.anthropic).step({ messages: [user("hi")], tools: [], signal })) {
    if (event.type === "text-delta") break
  }
  await server.requests[0]?.gone
})

/** Time stands still until the test moves it. */
class ManualTime implements Timing {
  time = 0
  #waiting: { until: number; resolve: () => void }[] = []
  now(): number {
    return this.time
  }
  random(): number {
    return 0
  }
  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ until: this.time + ms, resolve })
      signal.addEventListener("abort", () => resolve())
    })
  }
  pass(ms: number): void {
    this.time += ms
    for (const { until, resolve } of this.#waiting) if (until <= this.time) resolve()
  }
}

describe("a provider that falls silent", () => {
  test("before its first byte", async () => {
    server.reply(HANGS)
    const timing = new ManualTime()
    const { signal } = new AbortController()
    const model = modelAt(server, FAKES.anthropic, { timing, stallMs: 60_000 })
    const steps = model.step({ messages: [user("hi")], tools: [], signal })
    const first = steps[Symbol.asyncIterator]().next()
    const request = await server.request(0)
    timing.pass(60_000)
    expect((await first).value).toEqual({
      type: "failed",
      problem: { kind: "stalled", message: "anthropic sent nothing for 60 seconds." },
    })
    await request.gone
  })

  test("in mid-stream, counted from its last byte, and it is not retried", async () => {
    server.reply({ events: anthropicEvents({ text: "hello there" }).slice(0, 4), ending: "hang" })
    const timing = new ManualTime()
    const { signal } = new AbortController()
    const events: ModelEvent[] = []
    for await (const event of modelAt(server, FAKES.anthropic, { timing, stallMs: 60_000 }).step({
      messages: [user("hi")],
      tools: [],
      signal,
    })) {
      events.push(event)
      if (event.type === "text-delta") timing.pass(60_001)
    }
    expect(events.map((event) => event.type)).toEqual(["text-start", "text-delta", "text-end", "failed"])
    expect(events.at(-1)).toMatchObject({ problem: { kind: "stalled" } })
    expect(server.requests).toHaveLength(1)
  })
})

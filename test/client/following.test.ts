// A stream of events that breaks off is taken up again where it was, and the person is told when the server is gone.
import { expect, onTestFinished, test } from "vitest"
import { type Api, ApiError } from "../../src/client/api.ts"
import { readEvents, type StreamEvent } from "../../src/client/event-stream.ts"
import { follow, Pauses, timerWait } from "../../src/client/follow.ts"

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk))
  return new ReadableStream({
    start(controller) {
      for (const chunk of bytes) controller.enqueue(chunk)
      controller.close()
    },
  })
}

async function eventsOf(...chunks: string[]): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const event of readEvents(streamOf(...chunks), new AbortController().signal)) events.push(event)
  return events
}

test("events are read however the bytes are cut", async () => {
  const whole =
    'id: 1\nevent: told\ndata: {"text":"é"}\n\n: still here\n\ndata: [1,\ndata: 2]\n\nid: 2\ndata: not JSON\n\ndata: "cut off"'
  const expected = [
    { id: "1", type: "told", data: { text: "é" } },
    { id: undefined, type: "message", data: [1, 2] },
  ]
  expect(await eventsOf(whole)).toEqual(expected)
  for (let at = 1; at < whole.length; at++)
    expect(await eventsOf(whole.slice(0, at), whole.slice(at))).toEqual(expected)
})

test("a stream that nobody wants any more ends", async () => {
  const stop = new AbortController()
  const endless = new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(new TextEncoder().encode("data: 1\n\n")) })
  const seen: unknown[] = []
  for await (const { data } of readEvents(endless, stop.signal)) {
    seen.push(data)
    stop.abort()
  }
  expect(seen).toEqual([1])
  expect(endless.locked).toBe(false)
})

/** Follows a stream that answers as told, one request after the other, until the answers are used up. */
async function following(answers: (ReadableStream<Uint8Array> | Error)[], last?: string) {
  const [states, waits, headers, taken]: [string[], number[], unknown[], unknown[]] = [[], [], [], []]
  let finished = () => {}
  const end = new Promise<void>((resolve) => {
    finished = resolve
  })
  const api = {
    async fetch(_: string, init: RequestInit) {
      headers.push(init.headers)
      const answer = answers.shift()
      if (answer === undefined) return new Promise<Response>(() => finished())
      if (answer instanceof Error) throw answer
      return new Response(answer)
    },
  } as unknown as Api
  const state = (now: string) => {
    states.push(now)
    if (now === "locked") finished()
  }
  const wait = async (ms: number) => void waits.push(ms)
  onTestFinished(
    follow({ api, state, wait, pauses: new Pauses() }, "events", last, async ({ data }) => void taken.push(data)),
  )
  await end
  return { states, waits, headers, taken }
}

const noAnswer = () => new ApiError(0, {})

test("after a break, it continues after the last event that arrived", async () => {
  const first = streamOf("id: g.1\ndata: 1\n\ndata: 2\n\n")
  const { headers, taken, waits, states } = await following([first, streamOf("id: g.3\ndata: 3\n\n")], "g.0")
  expect(taken).toEqual([1, 2, 3])
  expect(headers).toEqual(["g.0", "g.1", "g.3"].map((id) => ({ "last-event-id": id })))
  expect([waits, states]).toEqual([
    [300, 300],
    ["online", "online"],
  ])
})

test("a client that knows no event asks for all", async () => {
  expect((await following([streamOf("data: 1\n\n")])).headers).toEqual([{}, {}])
})

test("without an answer it waits longer each time, and says so: first that it is reconnecting, then that the server is gone", async () => {
  const failing = Array.from({ length: 6 }, noAnswer)
  const { states, waits } = await following([...failing, streamOf("data: 1\n\n"), noAnswer()])
  expect(waits).toEqual([600, 1200, 2400, 4800, 5000, 5000, 300, 600])
  const tries = ["reconnecting", "reconnecting", "reconnecting", "gone", "gone", "gone"]
  expect(states).toEqual([...tries, "online", "reconnecting"])
})

test("a server that was started again does not know the token", async () => {
  const { states, waits } = await following([new ApiError(401, {})])
  expect([states, waits]).toEqual([["locked"], []])
})

test("a session that is gone is not requested again", async () => {
  const asked: string[] = []
  const api = {
    fetch: async (path: string) => {
      asked.push(path)
      throw new ApiError(404, {})
    },
  } as unknown as Api
  const told: string[] = []
  const line = { api, state: (state: string) => void told.push(state), wait: async () => {}, pauses: new Pauses() }
  follow(line, "events", undefined, async () => {})
  await new Promise((done) => setImmediate(done))
  expect([asked, told]).toEqual([["events"], []])
})

test("while it is paused nothing is requested; then it continues where it was, and reports no failure", async () => {
  const pauses = new Pauses()
  const signals: AbortSignal[] = []
  let asked = () => {}
  const api = {
    fetch: (_: string, { signal }: { signal: AbortSignal }) => {
      signals.push(signal)
      asked()
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("paused"))))
    },
  } as unknown as Api
  const next = () => new Promise<void>((resolve) => (asked = resolve))
  const states: string[] = []
  pauses.pause()
  const stop = follow(
    { api, state: (now) => void states.push(now), wait: async () => {}, pauses },
    "e",
    undefined,
    async () => {},
  )
  await new Promise((done) => setImmediate(done))
  expect(signals).toHaveLength(0)
  for (const round of [1, 2]) {
    const open = next()
    pauses.resume()
    pauses.resume()
    await open
    expect(signals).toHaveLength(round)
    pauses.pause()
    pauses.pause()
    expect(signals.at(-1)?.aborted).toBe(true)
    await new Promise((done) => setImmediate(done))
    expect(signals).toHaveLength(round)
  }
  stop()
  pauses.resume()
  await new Promise((done) => setImmediate(done))
  expect([signals.length, states]).toEqual([2, []])
})

test("a wait ends with its time, or when nobody wants it any more", async () => {
  await timerWait(1, new AbortController().signal)
  await timerWait(3_600_000, AbortSignal.abort())
  const stop = new AbortController()
  const waited = timerWait(3_600_000, stop.signal)
  stop.abort()
  await waited
})

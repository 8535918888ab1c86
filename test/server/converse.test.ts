import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { bash } from "../app/talk.ts"
import { readEvents } from "./reader.ts"
import { serve } from "./test-server.ts"

test("of two messages that arrive at once one begins a turn and the other steers it, and each learns which it was", async () => {
  const { post, newSession } = serve([{ text: "one" }, { text: "two" }])
  const session = await newSession()
  const both = await Promise.all(["a", "b"].map((text) => post<{ steers: boolean }>(`${session}/converse`, { text })))
  expect(both.map(({ status, body: { steers } }) => [status, steers])).toEqual(
    expect.arrayContaining([
      [202, false],
      [202, true],
    ]),
  )
  await post(`${session}/stop`)
})

test.each([
  ["no words", { text: "" }],
  ["blank words", { text: " \n" }],
  ["a part of another kind", { text: "look", media: [{ type: "evil" }] }],
  ["a call of a tool", { text: "look", media: [{ type: "tool-call", call: "1", name: "Bash", input: {} }] }],
  ["an image without bytes", { text: "look", media: [{ type: "image", mediaType: "image/png" }] }],
  ["an image that is elsewhere", { text: "look", media: [{ type: "image", mediaType: "image/png", blob: {} }] }],
  ["bytes that are none", { text: "look", media: [{ type: "image", mediaType: "image/png", data: "<svg>" }] }],
])("%s: nothing is sent", async (_, body) => {
  const { post, get, newSession } = serve([{ text: "one" }])
  const session = await newSession()
  const before = (await get(session)).body
  expect(await post(`${session}/converse`, body)).toMatchObject({ status: 400, body: { code: "invalid" } })
  expect((await get(session)).body).toEqual(before)
})

test("an image alone is something to say", async () => {
  const { post, get, newSession } = serve([{ text: "A dot." }])
  const session = await newSession()
  const dot = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" }
  expect((await post(`${session}/converse`, { text: "", media: [dot], wait: true })).body).toMatchObject({
    outcome: "done",
    text: "A dot.",
  })
  expect((await get(`${session}/messages`)).body.messages[0]?.content).toContainEqual(dot)
})

test("a command of the person answers when it has ended, whatever else begins meanwhile; its stream is its own", async () => {
  const { post, newSession, root, server, request } = serve([{ text: "one" }])
  const session = await newSession()
  const command = `echo begun; while [ ! -e go ]; do sleep 0.01; done; echo done`
  const running = readEvents(
    await server.fetch(
      request("POST", `${session}/converse`, { text: command, shell: true }, { accept: "text/event-stream" }),
    ),
  )
  const waiting = post(`${session}/converse`, { text: "until [ -e go ]; do sleep 0.01; done", shell: true })
  await running.until(({ type }) => type === "tool-delta")
  await post(`${session}/converse`, { text: "work", wait: true })
  await post(`${session}/converse`, { text: "touch go", shell: true })
  expect(await waiting).toMatchObject({ status: 200, body: { outcome: "done" } })
  expect(await running.ended).toBe("end")
  expect(new Set(running.events.map(({ type }) => type))).toEqual(
    new Set(["tool-start", "tool-delta", "tool-end", "end"]),
  )
  expect(existsSync(join(root, "go"))).toBe(true)
})

test("a client that goes away in the middle leaves a turn that continues", async () => {
  const { post, get, newSession, server, request } = serve([{ text: "one" }, { text: "two" }])
  const session = await newSession()
  const everything = readEvents(await server.fetch(request("GET", `${session}/events`)))
  const response = await server.fetch(
    request("POST", `${session}/converse`, { text: "work" }, { accept: "text/event-stream" }),
  )
  await response.body?.cancel()
  await everything.until(({ type }) => type === "turn-end")
  expect((await get(`${session}/messages`)).body.messages).toHaveLength(2)
  expect((await post(`${session}/converse`, { text: "more", wait: true })).body).toMatchObject({ text: "two" })
  await everything.leave()
})

test("what is wrong with a request is reported in few words, however much is wrong", async () => {
  const { post, newSession } = serve()
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key-${i}`, 1]))
  const { status, body } = await post<{ detail: string }>(`${await newSession()}/title`, many)
  expect(status).toBe(400)
  expect(body.detail.length).toBeLessThan(1100)
})

test.each([
  ["echo hi", "hi", false],
  ["echo hi; false", "hi\n(exit code 1)", true],
  ["true", "", false],
  ["exit 3", "(exit code 3)", true],
])("a command, %j, answers with its own output and whether it failed", async (command, text, error) => {
  const { post, newSession, server, request } = serve([{ text: "the words of the model" }])
  const session = await newSession()
  await post(`${session}/converse`, { text: "work", wait: true })
  const input = { text: command, shell: true }
  const expected = { turn: 2, outcome: "done", entry: expect.any(String), text, error }
  expect((await post(`${session}/converse`, input)).body).toMatchObject(expected)
  const accept = { accept: "text/event-stream" }
  const stream = readEvents(await server.fetch(request("POST", `${session}/converse`, input, accept)))
  expect((await stream.until(({ type }) => type === "end")).data).toMatchObject(expected)
})

test("the same command twice at once: each answer has its own output", async () => {
  const { post, newSession } = serve()
  const session = await newSession()
  const input = { text: "mkdir one 2>/dev/null && echo first || echo second", shell: true }
  const both = await Promise.all([1, 2].map(() => post<{ text: string }>(`${session}/converse`, input)))
  expect(both.map(({ body }) => body.text).sort()).toEqual(["first", "second"])
})

test("an answer at the end names the turn that its events name", async () => {
  const { post, newSession, server, request } = serve([{ text: "one" }, { text: "two" }, { text: "three" }])
  const session = await newSession()
  const everything = readEvents(await server.fetch(request("GET", `${session}/events`)))
  for (const turn of [1, 2]) {
    const { body } = await post<{ entry: string }>(`${session}/converse`, { text: "work", wait: true })
    expect(body).toMatchObject({ turn, outcome: "done" })
    const start = await everything.until(({ data }) => data.event?.type === "turn-start" && data.turn === turn)
    expect(start.data.event).toMatchObject({ entry: body.entry })
  }
  expect((await post(`${session}/converse`, { text: "work" })).body).toMatchObject({ turn: 3 })
  await everything.leave()
})

test("a turn that failed or was stopped is named too", async () => {
  const problem = { kind: "invalid", message: "No." } as const
  const { post, newSession, server, request } = serve([{ problem }, { text: "I begin", hangs: true }])
  const session = await newSession()
  expect((await post(`${session}/converse`, { text: "work", wait: true })).body).toMatchObject({
    turn: 1,
    outcome: "failed",
  })
  const everything = readEvents(await server.fetch(request("GET", `${session}/events`)))
  const stopped = post(`${session}/converse`, { text: "work", wait: true })
  await everything.until(({ type }) => type === "text-delta")
  await post(`${session}/stop`)
  expect((await stopped).body).toMatchObject({ turn: 2, outcome: "stopped" })
  await everything.leave()
})

/** A turn whose first step runs until `go`, and what steers it meanwhile. */
async function steered(answers: Parameters<typeof serve>[0]) {
  const at = serve(answers, {}, { mode: "yolo" })
  const session = await at.newSession()
  const everything = readEvents(await at.server.fetch(at.request("GET", `${session}/events`)))
  const first = at.post(`${session}/converse`, { text: "work", wait: true })
  await everything.until(({ type }) => type === "tool-start")
  return { ...at, session, everything, first }
}

test("a message that steers a turn is answered when that turn has ended, with its last words", async () => {
  const wait = bash("until [ -e go ]; do sleep 0.01; done")
  const hold = bash("until [ -e on ]; do sleep 0.01; done")
  const at = await steered([wait, hold, { text: "all done" }])
  const { session, everything, first, post, server, request } = at
  const input = { text: "and this", wait: true }
  let answered = false
  const second = post(`${session}/converse`, input).finally(() => (answered = true))
  const accept = { accept: "text/event-stream" }
  const third = readEvents(await server.fetch(request("POST", `${session}/converse`, { text: "me too" }, accept)))
  await everything.until(() => everything.events.filter(({ type }) => type === "steer-queued").length === 2)
  writeFileSync(join(at.root, "go"), "")
  await everything.until(() => everything.events.filter(({ type }) => type === "steer-given").length === 2)
  await everything.until(() => everything.events.filter(({ type }) => type === "tool-start").length === 2)
  expect([answered, third.events.some(({ type }) => type === "end")]).toEqual([false, false])
  writeFileSync(join(at.root, "on"), "")
  const expected = { turn: 1, outcome: "steered", text: "all done", turnOutcome: "done", entry: expect.any(String) }
  expect((await second).body).toMatchObject(expected)
  expect((await third.until(({ type }) => type === "end")).data).toMatchObject(expected)
  expect(third.events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["steer-given", "text-delta", "turn-end"]),
  )
  expect((await first).body).toMatchObject({ turn: 1, outcome: "done", text: "all done" })
  await everything.leave()
})

test("a message that steers a turn which then stops says so", async () => {
  const at = await steered([bash("until [ -e go ]; do sleep 0.01; done"), { text: "I begin", hangs: true }])
  const second = at.post(`${at.session}/converse`, { text: "and this", wait: true })
  await at.everything.until(({ type }) => type === "steer-queued")
  writeFileSync(join(at.root, "go"), "")
  await at.everything.until(({ type }) => type === "text-delta")
  await at.post(`${at.session}/stop`)
  expect((await second).body).toMatchObject({ turn: 1, outcome: "steered", turnOutcome: "stopped" })
  await at.everything.leave()
})

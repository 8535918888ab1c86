import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { readEvents } from "./reader.ts"
import { serve } from "./test-server.ts"

test("of two messages that come at once one begins a turn and the other steers it, and each is told which it was", async () => {
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

test("a client that goes away in the middle leaves a turn that goes on", async () => {
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

test("what is wrong with a request is said in few words, however much is wrong", async () => {
  const { post, newSession } = serve()
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key-${i}`, 1]))
  const { status, body } = await post<{ detail: string }>(`${await newSession()}/title`, many)
  expect(status).toBe(400)
  expect(body.detail.length).toBeLessThan(1100)
})

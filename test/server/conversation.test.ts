import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { SessionId } from "../../src/model/id.ts"
import { serve } from "./test-server.ts"

const answers = (count: number) => Array.from({ length: count }, (_, i) => ({ text: `answer ${i + 1}` }))

test("back takes the last round from the messages, again the one before; at the first it says so and changes nothing", async () => {
  const { get, post, newSession } = serve(answers(3))
  const session = await newSession()
  for (const text of ["one", "two", "three"]) await post(`${session}/converse`, { text, wait: true })
  const count = async () => (await get(`${session}/messages`)).body.messages.length
  expect(await count()).toBe(6)
  expect((await post(`${session}/back`)).body).toMatchObject({ outcome: "moved", prompt: { text: "three" } })
  expect(await count()).toBe(4)
  expect((await post(`${session}/back`, {})).status).toBe(200)
  expect(await count()).toBe(2)
  const before = (await get(session)).body
  const refused = await post(`${session}/back`)
  expect(refused.status).toBe(400)
  expect(refused.headers.get("content-type")).toBe("application/problem+json")
  expect(refused.body).toMatchObject({
    code: "at-start",
    detail: "This is the first round: there is nothing to go back to.",
    hint: expect.stringContaining('POST /api/sessions/ID/goto {"entry":"@1"}'),
  })
  expect(refused.body.advice).toContainEqual({ do: "goto", entry: "@1" })
  expect((await get(session)).body).toEqual(before)
  expect(await count()).toBe(2)
})

test("what another process has done is in the next answer, even where the system tells of no change", async () => {
  const { get, post, newSession, elsewhere, parts } = serve(answers(2))
  const create = parts.store.create.bind(parts.store)
  parts.store.create = async (...header) => Object.assign(await create(...header), { watch: () => () => undefined })
  const session = await newSession()
  for (const text of ["one", "two"]) await post(`${session}/converse`, { text, wait: true })
  const other = await elsewhere().open(session.split("/").at(-1) as SessionId)
  expect(await other.back()).toMatchObject({ outcome: "moved" })
  expect((await get(`${session}/messages`)).body.messages).toHaveLength(2)
})

test("what was left can be reached again: undo, redo, goto", async () => {
  const { get, post, newSession } = serve(answers(2))
  const session = await newSession()
  for (const text of ["one", "two"]) await post(`${session}/converse`, { text, wait: true })
  const said = async () => (await get(`${session}/messages`)).body.messages.map(textOf)
  await post(`${session}/back`)
  expect((await post(`${session}/undo`)).body).toMatchObject({ outcome: "moved", kind: "undo" })
  expect(await said()).toEqual(["one", "answer 1", "two", "answer 2"])
  await post(`${session}/redo`)
  expect(await said()).toEqual(["one", "answer 1"])
  expect((await post(`${session}/redo`)).body.code).toBe("nothing-to-redo")
  await post(`${session}/goto`, { entry: null })
  expect(await said()).toEqual([])
  expect((await post(`${session}/goto`, { entry: "nowhere" })).status).toBe(404)
})

test("a dry run says what would happen, and nothing does", async () => {
  const { get, post, newSession } = serve(answers(2))
  const session = await newSession()
  for (const text of ["one", "two"]) await post(`${session}/converse`, { text, wait: true })
  const before = (await get(session)).body
  for (const [move, body] of Object.entries({ back: {}, undo: {}, goto: { entry: "@2" }, restore: { entry: "@2" } })) {
    const planned = await post(`${session}/${move}`, { ...body, dryRun: true })
    expect([move, planned.body]).toMatchObject([move, { outcome: "planned" }])
  }
  expect((await get(session)).body).toEqual(before)
})

test("a dry run of redo says what would come back", async () => {
  const { get, post, newSession } = serve(answers(2))
  const session = await newSession()
  for (const text of ["one", "two"]) await post(`${session}/converse`, { text, wait: true })
  await post(`${session}/undo`)
  const before = (await get(session)).body
  expect((await post(`${session}/redo`, { dryRun: true })).body).toMatchObject({ outcome: "planned", kind: "redo" })
  expect((await get(session)).body).toEqual(before)
})

test("a message can say where it continues from: that becomes a branch", async () => {
  const { get, post, newSession } = serve(answers(3))
  const session = await newSession()
  const first = await post(`${session}/converse`, { text: "one", wait: true })
  await post(`${session}/converse`, { text: "two", wait: true })
  const other = await post(`${session}/converse`, { text: "another two", from: first.body.head, wait: true })
  expect(other.body).toMatchObject({ outcome: "done", text: "answer 3" })
  const { messages } = (await get(`${session}/messages`)).body
  expect(messages.map(textOf)).toEqual(["one", "answer 1", "another two", "answer 3"])
  expect((await get(session)).body.status.branches).toBe(2)
  expect((await post(`${session}/converse`, { text: "x", from: "nowhere" })).body.code).toBe("not-found")
})

test("without waiting the answer comes when the turn has begun; with SSE it is the events of the turn", async () => {
  const { server, request, post, get, newSession } = serve(answers(2))
  const session = await newSession()
  const streamed = await server.fetch(
    request("POST", `${session}/converse`, { text: "one" }, { accept: "text/event-stream" }),
  )
  const events = (await streamed.text()).split("\n\n").filter((each) => each !== "")
  const types = events.map((each) => /^event: (.*)$/m.exec(each)?.[1])
  expect(types[0]).toBe("turn-start")
  expect(types).toContain("text-delta")
  expect(types.slice(-2)).toEqual(["turn-end", "end"])
  expect((await get(`${session}/messages`)).body.messages.length).toBe(2)
  const begun = await post(`${session}/converse`, { text: "two" })
  expect(begun).toMatchObject({ status: 202, body: { turn: 2, steers: false, entry: expect.any(String) } })
})

test("pages of messages follow each other without a gap", async () => {
  const { get, post, newSession } = serve(answers(5))
  const session = await newSession()
  for (let i = 1; i <= 5; i++) await post(`${session}/converse`, { text: `prompt ${i}`, wait: true })
  const whole = (await get(`${session}/messages`)).body
  expect(whole).toMatchObject({ before: null, total: 10 })
  const found: unknown[] = []
  let before: string | null = null
  do {
    const page: { messages: unknown[]; before: string | null } = (
      await get(`${session}/messages?limit=3${before === null ? "" : `&before=${before}`}`)
    ).body
    found.unshift(...page.messages)
    before = page.before
  } while (before !== null)
  expect(found).toEqual(whole.messages)
})

test("the list has the session, with a page after a page", async () => {
  const { get, post, newSession, root } = serve(answers(3))
  for (let i = 0; i < 3; i++) await post(`${await newSession()}/converse`, { text: `session ${i}`, wait: true })
  const all = (await get(`/api/sessions?cwd=${encodeURIComponent(root)}`)).body
  expect(all).toMatchObject({ sessions: { length: 3 }, next: null })
  const first = (await get("/api/sessions?limit=2")).body
  const second = (await get(`/api/sessions?limit=2&after=${first.next}`)).body
  expect([...first.sessions, ...second.sessions]).toEqual(all.sessions)
  expect((await get("/api/sessions?text=SESSION%201")).body.sessions).toHaveLength(1)
  expect((await get("/api/sessions?agent=codex")).body.sessions).toEqual([])
})

function textOf(message: { content: { text: string }[] }): string {
  return message.content.map(({ text }) => text).join("")
}

test("a move that would overwrite what the person changed is refused, and says which files", async () => {
  const write = (content: string) => ({ calls: [{ name: "Write", input: { path: "a.txt", content } }] })
  const { post, newSession, root } = serve(
    [write("one\n"), { text: "1" }, write("two\n"), { text: "2" }],
    {},
    { mode: "yolo" },
  )
  const session = await newSession()
  for (const text of ["one", "two"]) await post(`${session}/converse`, { text, wait: true })
  writeFileSync(join(root, "a.txt"), "mine\n")
  const refused = await post(`${session}/back`, { files: "restore" })
  expect(refused.status).toBe(409)
  expect(refused.body).toMatchObject({ code: "conflicts", conflicts: [{ path: "a.txt" }] })
  expect((await post(`${session}/goto`, { entry: "nowhere" })).body).not.toHaveProperty("conflicts")
})

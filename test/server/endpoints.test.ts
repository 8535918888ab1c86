import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { readEvents } from "./reader.ts"
import { serve } from "./test-server.ts"

const write = (path: string, content: string) => ({ calls: [{ name: "Write", input: { path, content } }] })

/** Two rounds, of which the second was left for another one. */
async function branched() {
  const at = serve(Array.from({ length: 3 }, (_, i) => ({ text: `answer ${i + 1}` })))
  const session = await at.newSession()
  for (const text of ["first question", "second question"]) await at.post(`${session}/converse`, { text, wait: true })
  await at.post(`${session}/back`)
  await at.post(`${session}/converse`, { text: "third question", wait: true })
  return { ...at, session }
}

test("the tree, its tips, prompts and operations", async () => {
  const { get, session } = await branched()
  const { lines } = (await get<{ lines: Record<string, unknown>[] }>(`${session}/tree`)).body
  expect(lines.map(({ type, lane, text, onPath }) => [type, lane, text, onPath])).toEqual([
    ["stretch", 0, "third question", true],
    ["stretch", 1, "second question", false],
    ["join", 1, undefined, undefined],
    ["stretch", 0, "first question", true],
  ])
  const { leaves } = (await get<{ leaves: object[] }>(`${session}/leaves`)).body
  expect(leaves).toMatchObject([
    { prompt: "second question", onPath: false, rounds: 2 },
    { prompt: "third question", onPath: true, messages: 4 },
  ])
  const { prompts } = (await get<{ prompts: object[] }>(`${session}/prompts`)).body
  expect(prompts).toMatchObject([
    { text: "first question", round: 1 },
    { text: "third question", round: 2 },
  ])
  expect((await get<{ prompts: object[] }>(`${session}/prompts?limit=1`)).body.prompts).toHaveLength(1)
  const { operations } = (await get<{ operations: object[] }>(`${session}/operations`)).body
  expect(operations).toMatchObject([
    { type: "round", text: "third question", next: "undo" },
    { type: "move", kind: "back", next: null },
    { type: "round", text: "second question" },
    { type: "round", text: "first question" },
  ])
})

test("what a model would get, and where a text is, in all branches", async () => {
  const { get, session } = await branched()
  const { messages } = (await get<{ messages: { role: string }[] }>(`${session}/context`)).body
  expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user", "assistant"])
  const { hits } = (await get<{ hits: object[] }>(`${session}/search?text=SECOND`)).body
  expect(hits).toMatchObject([{ match: "second", after: " question" }])
  expect((await get(`${session}/search?text=`)).status).toBe(400)
})

test("labels, a title, a mode, a copy", async () => {
  const { get, post, session } = await branched()
  const { entry } = (await post(`${session}/labels`, { entry: "@1", name: "begin" })).body
  await post(`${session}/title`, { title: "A new title" })
  await post(`${session}/mode`, { mode: "default" })
  expect((await get(session)).body).toMatchObject({
    labels: { [entry]: "begin" },
    config: { title: "A new title" },
    status: { mode: "default" },
  })
  const copy = (await post<{ session: string }>(`${session}/split`, { entry: "head" })).body
  expect((await get(`/api/sessions/${copy.session}/messages`)).body.messages).toHaveLength(4)
  await post(`${session}/labels`, { entry: "begin", name: "" })
  expect((await get(session)).body).toMatchObject({ labels: {} })
  expect((await post(`${session}/mode`, { mode: "anything" })).status).toBe(400)
})

test("rules are allowed for the session, shown, and taken back", async () => {
  const { get, post, newSession } = serve()
  const session = await newSession()
  expect((await post(`${session}/rules`, { rule: "Bash(npm test)" })).status).toBe(200)
  const allowed = async () => (await get<{ allow: object[] }>(`${session}/permissions`)).body.allow
  expect(await allowed()).toMatchObject([{ rule: "Bash(npm test)", from: "session" }])
  expect((await post(`${session}/rules/revoke`, { rule: "Bash(npm test)" })).body).toEqual({ revoked: true })
  expect(await allowed()).toEqual([])
  expect((await post(`${session}/rules`, { rule: "Bash(" })).body.code).toBe("invalid")
})

test("files: what a round changed, and how they were brought back", async () => {
  const { get, post, newSession, root } = serve([write("a.txt", "one\n"), { text: "done" }])
  writeFileSync(join(root, "b.txt"), "mine\n")
  const session = await newSession()
  await post(`${session}/converse`, { text: "write it", wait: true })
  const diff = (await get<{ patch: string; files: object[] }>(`${session}/diff?from=@1`)).body
  expect(diff.files).toMatchObject([{ path: "a.txt" }])
  expect(diff.patch).toContain("+one")
  const plan = await post(`${session}/restore`, { entry: "@1", dryRun: true })
  expect(plan.body).toMatchObject({ outcome: "planned", files: [{ path: "a.txt" }] })
  expect((await get<{ files: object[] }>(`${session}/diff?from=nowhere`)).status).toBe(404)
})

test("an approval is answered once; afterwards the question is closed", async () => {
  const { post, newSession, server, request } = serve(
    [write("a.txt", "one\n"), { text: "done" }],
    {},
    { mode: "default" },
  )
  const session = await newSession()
  const reader = readEvents(await server.fetch(request("GET", `${session}/events`)))
  await post(`${session}/converse`, { text: "write it" })
  const asked = await reader.until(({ type }) => type === "approval-start")
  const path = `${session}/approvals/${(asked.data.event as unknown as { approval: string }).approval}`
  expect((await post(path, { answer: "perhaps" })).status).toBe(400)
  expect((await post(path, { answer: "once" })).status).toBe(200)
  expect(await post(path, { answer: "once" })).toMatchObject({ status: 409, body: { code: "not-asked" } })
  expect((await post(`${session}/approvals/${encodeURIComponent("../x")}`, { answer: "once" })).status).toBe(409)
  await reader.until(({ type }) => type === "turn-end")
  await reader.leave()
})

test("what was typed while the agent works is taken back; stop and abort end the turn", async () => {
  const hanging = { text: "I begin", hangs: true } as const
  const { post, newSession, server, request } = serve([hanging, hanging])
  const session = await newSession()
  for (const end of ["stop", "abort"]) {
    const reader = readEvents(await server.fetch(request("GET", `${session}/events`)))
    await post(`${session}/converse`, { text: "work" })
    await reader.until(({ type }) => type === "text-delta")
    expect((await post(`${session}/converse`, { text: "and this" })).body).toMatchObject({ steers: true })
    expect((await post(`${session}/unsend`)).body).toMatchObject({ input: { text: "and this" } })
    expect((await post(`${session}/unsend`)).body).toEqual({ input: null })
    expect((await post(`${session}/${end}`)).body).toMatchObject({ stopped: true })
    expect((await post(`${session}/${end}`)).body).toMatchObject({ stopped: false })
    await reader.leave()
  }
})

test("doctor counts what there is, and what a closer look does not count", async () => {
  const { get, session } = await branched()
  expect((await get(`${session}/doctor`)).body).toMatchObject({
    origins: { prompt: 3, agent: 3 },
    prompts: { path: 2, all: 3 },
    userMessages: { path: 2, all: 3 },
  })
})

test("a conversation with too little in it is not compacted", async () => {
  const { post, session } = await branched()
  expect(await post(`${session}/compact`, {})).toMatchObject({ status: 409, body: { code: "nothing-to-compact" } })
})

test("going back in mid-stream stops the turn and takes its prompt; what comes late has an older number", async () => {
  const { post, get, newSession, server, request } = serve([{ text: "one" }, { text: "I begin", hangs: true }])
  const session = await newSession()
  await post(`${session}/converse`, { text: "first", wait: true })
  const reader = readEvents(await server.fetch(request("GET", `${session}/events`)))
  const { turn } = (await post<{ turn: number }>(`${session}/converse`, { text: "second" })).body
  await reader.until(({ type, data }) => type === "text-delta" && data.turn === turn)
  const [first, second] = await Promise.all([post(`${session}/back`), post(`${session}/back`)])
  expect(first).toMatchObject({ status: 200, body: { prompt: { text: "second" } } })
  // The other one was second: there was nothing left to go back to.
  expect([second.status, second.body.code]).toEqual([400, "at-start"])
  expect((await get(`${session}/messages`)).body.messages).toHaveLength(2)
  expect((await get(session)).body).toMatchObject({ status: { running: false }, live: null })
  await reader.leave()
})

// A session on a server, as a page uses it: what it asks for is done there, and what happens there is known here.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { EntryId } from "../../src/model/id.ts"
import { plainText } from "../../src/model/record/record.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { withClaude } from "../app/claude-host.ts"
import { bash, until } from "../app/talk.ts"
import { CLAUDE_RECORDS } from "../programs/fake-claude.ts"
import { connected } from "./connected.ts"

const write = (content: string) => ({ calls: [{ name: "Write", input: { path: "a.txt", content } }] })

async function opened(answers: Parameters<typeof connected>[0], changes: Parameters<typeof connected>[1] = {}) {
  const at = connected(answers, changes)
  const session = await at.client.create({ cwd: at.root })
  const events: HostEvent[] = []
  session.on(({ event }) => events.push(event))
  return { ...at, session, events, types: () => events.map(({ type }) => type) }
}

test("what is sent is answered by the end of its turn, and the tree is here before that is reported", async () => {
  const { session, types, root } = await opened([{ text: "Hello." }])
  const sizes: number[] = []
  session.on(({ event }) => event.type === "turn-end" && sizes.push(session.history.size))
  expect(await session.send({ text: "hi" })).toMatchObject({ outcome: "done" })
  expect([session.agent, session.cwd]).toEqual([undefined, root])
  expect(types()).toEqual(expect.arrayContaining(["turn-start", "text-delta", "step-end", "turn-end"]))
  expect(sizes[0]).toBeGreaterThan(2)
  expect((await session.context()).map(({ role }) => role)).toEqual(["system", "user", "assistant"])
  expect(session.status()).toMatchObject({ running: false, round: 1 })
})

test("a session that another agent's program begins answers its first prompt once, as in process", async () => {
  const { deps, put } = withClaude(`${CLAUDE_RECORDS}; answer("I heard " + prompt); end()`)
  const { client, root } = connected([], deps)
  put(root)
  const prompt = { text: "first of all" }
  const session = await client.create({ cwd: root, agent: "claude-code", prompt })
  expect(await session.send(prompt)).toMatchObject({ outcome: "done" })
  expect(await session.offers()).toMatchObject({ models: [{ id: "opus" }] })
  expect((await session.context()).map(({ content }) => plainText(content))).toEqual([
    "first of all",
    "I heard first of all",
  ])
})

test("moves are made there, and a refusal is an answer", async () => {
  const { session, root } = await opened([write("one\n"), { text: "1" }, write("two\n"), { text: "2" }], {
    mode: "yolo",
  })
  await session.send({ text: "one" })
  await session.send({ text: "two" })
  const at = session.head
  expect(await session.back({ dryRun: true })).toMatchObject({ outcome: "planned", prompt: { text: "two" } })
  expect(session.head).toBe(at)
  expect(await session.diff()).toMatchObject({ outcome: "diff", patch: expect.stringContaining("+two") })
  expect(await session.diff({ paths: ["a.txt", "a.txt"] })).toMatchObject({
    files: [{ path: "a.txt" }, { path: "a.txt" }],
  })
  expect(await session.back({ files: "restore" })).toMatchObject({ outcome: "moved" })
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n")
  expect(await session.back()).toMatchObject({ outcome: "refused", failure: { code: "at-start" } })
  expect(await session.undo()).toMatchObject({ outcome: "moved", kind: "undo" })
  writeFileSync(join(root, "a.txt"), "mine\n")
  expect(await session.redo({ files: "restore" })).toMatchObject({ outcome: "refused", conflicts: [{ path: "a.txt" }] })
  expect(await session.goto("nowhere")).toMatchObject({ outcome: "refused" })
})

test("a question is live until it is answered, once", async () => {
  const { session } = await opened([bash("touch made"), { text: "Done." }], { mode: "default" })
  const sent = session.send({ text: "go" })
  const asked = await until(session, ({ type }) => type === "approval-start")
  const approval = (asked as { approval: string }).approval
  expect(session.live()?.approvals).toMatchObject([{ approval }])
  expect(await session.answer(approval, { answer: "no" })).toBe(true)
  expect(await session.answer(approval, { answer: "no" })).toBe(false)
  await sent
  expect(session.live()).toBeUndefined()
})

test("a turn that is stopped, and a message that is taken back", async () => {
  const { session } = await opened([bash("sleep 100"), { text: "Done." }], { mode: "yolo" })
  const sent = session.send({ text: "go" })
  await until(session, ({ type }) => type === "tool-start")
  expect(session.live()).toMatchObject({ tools: [{ name: "Bash", ended: false }] })
  const queued = until(session, ({ type }) => type === "steer-queued")
  const more = session.send({ text: "more" })
  await queued
  expect(session.live()?.queued).toEqual(["more"])
  expect(await session.unsend()).toMatchObject({ text: "more" })
  expect(await more).toMatchObject({ outcome: "withdrawn", input: { text: "more" } })
  expect(await session.unsend()).toBeUndefined()
  expect(await session.stop()).toMatchObject({ stopped: true })
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect(await session.stop()).toMatchObject({ stopped: false })
})

test("labels, titles, rules and settings are the server's, and known here at once", async () => {
  const { session, another } = await opened([{ text: "Hello." }])
  await session.send({ text: "hi NEEDLE" })
  const entry = session.history.id(session.head) as EntryId
  const labelled = until(session, ({ type }) => type === "labelled")
  expect(await session.label(entry, "here")).toBe(entry)
  await labelled
  expect([...session.labels()]).toEqual([[entry, "here"]])
  const configured = until(session, ({ type }) => type === "configured")
  await session.title("A title")
  await configured
  expect(session.config().get("title")).toBe("A title")
  await session.allow("Bash(ls)")
  expect((await session.permissions()).allow).toEqual(
    expect.arrayContaining([expect.objectContaining({ rule: "Bash(ls)" })]),
  )
  expect([await session.revoke("Bash(ls)"), await session.revoke("Bash(ls)")]).toEqual([true, false])
  await session.setMode("autoEdit")
  expect((await session.permissions()).mode).toBe("autoEdit")
  expect(await session.search("NEEDLE", 5)).toHaveLength(1)
  expect(await session.rounds({ limit: 1 })).toHaveLength(1)
  const copy = await session.split(entry)
  expect(copy.session).not.toBe(session.id)
  const other = await another().open(session.id)
  expect([[...other.labels()], other.config().get("title")]).toEqual([[[entry, "here"]], "A title"])
  await session.load([0, 1, 2, 10_000])
  expect(session.history.record(1)?.id).toBe(session.history.id(1))
})

test("what another client does is reported here, and nothing is after closing", async () => {
  const { session, another, types } = await opened([{ text: "one" }, { text: "two" }])
  const other = workIn(await another().open(session.id))
  const ended = until(session, ({ type }) => type === "turn-end")
  await other.send({ text: "from there" })
  await ended
  expect(session.history.size).toBe(other.history.size)
  await session.close()
  const count = types().length
  await other.send({ text: "again" })
  expect(types()).toHaveLength(count)
})

// Stop, at every moment of a turn: it ends by itself, its calls are settled, and nothing of it is recorded afterwards.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { WorkSession } from "../../src/protocol/host.ts"
import { makeTestHost, scriptedModel, textOf } from "../test-host.ts"
import { bash, shape, talk, until } from "./talk.ts"

const STUBBORN = "trap '' TERM; echo started; while true; do sleep 0.05; done"

const logOf = (session: WorkSession) => readFileSync(session.file as string, "utf8")

test("while the model streams: what was seen stays, and undo takes the round back", async () => {
  const { open } = talk([{ text: "I am thinking about", hangs: true }])
  const { session, events } = await open()
  const sent = session.send({ text: "go" })
  await until(session, ({ type }) => type === "text-delta")
  expect(await session.stop()).toEqual({ stopped: true })
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect((await shape(session)).slice(1)).toEqual(["user: text text", "assistant: text"])
  expect(events.filter(({ type }) => type === "turn-end")).toMatchObject([{ outcome: "stopped" }])
  expect(await session.undo()).toMatchObject({ outcome: "moved", head: null, prompt: { text: "go" } })
})

test("before anything was seen: the prompt is withdrawn, and its text and images come back", async () => {
  const { open } = talk([{ hangs: true }, { text: "Hello." }])
  const { session, events } = await open()
  const image = { type: "image" as const, mediaType: "image/png", data: "AAAA" }
  const input = { text: "go", display: "go [image]", media: [image] }
  const sent = session.send(input)
  await until(session, ({ type }) => type === "step-start")
  expect(await session.stop()).toEqual({ stopped: true, withdrawn: input })
  expect(await sent).toEqual({ outcome: "withdrawn", input })
  expect(await shape(session)).toEqual(["system: text"])
  expect(events.at(-1)).toMatchObject({ type: "turn-end", outcome: "withdrawn" })
  expect(events.find(({ type }) => type === "moved")).toMatchObject({ kind: "retract" })
  expect(await session.undo()).toMatchObject({ outcome: "moved" })
  expect(await shape(session)).toEqual(["system: text", "user: image text text"])
})

test("a stop in the same moment as the prompt is a stop", async () => {
  const { open, model } = talk([{ text: "Hello." }])
  const { session } = await open()
  const sent = session.send({ text: "go" })
  expect(await session.stop()).toMatchObject({ stopped: true, withdrawn: { text: "go" } })
  expect(await sent).toMatchObject({ outcome: "withdrawn" })
  expect(model.requests).toHaveLength(0)
})

test("while a command that ignores SIGTERM runs: it is gone, and all calls of the step are settled as one message", async () => {
  const calls = [
    { name: "Bash", input: { command: `echo $$ > pid; ${STUBBORN}` } },
    { name: "Read", input: { path: "pid" } },
  ]
  const { open, root } = talk([{ text: "Running.", calls }, { text: "After." }])
  const { session } = await open()
  const sent = session.send({ text: "go" })
  await until(session, ({ type }) => type === "tool-delta")
  const pid = Number(readFileSync(join(root, "pid"), "utf8"))
  await session.stop()
  expect(await sent).toMatchObject({ outcome: "stopped" })
  await expect.poll(() => spawnSync("kill", ["-0", String(pid)]).status).not.toBe(0)
  expect((await shape(session)).slice(1)).toEqual([
    "user: text text",
    "assistant: text tool-call tool-call",
    "tool: error error",
  ])
  const before = logOf(session)
  await session.send({ text: "next" })
  expect(logOf(session).startsWith(before)).toBe(true)
  expect((await shape(session)).slice(4)).toEqual(["user: text text", "assistant: text"])
})

test("the files are saved after a turn of which something was seen, and not after a prompt that was withdrawn", async () => {
  const { open } = talk([{ text: "Seen." }, { hangs: true }])
  const { session } = await open()
  const after = () =>
    logOf(session)
      .split("\n")
      .filter((line) => line.includes('"when":"after"')).length
  await session.send({ text: "one" })
  expect(after()).toBe(1)
  const sent = session.send({ text: "two" })
  await until(session, ({ type }) => type === "step-start")
  await session.stop()
  await sent
  expect(after()).toBe(1)
})

test("while an approval waits: the question is withdrawn and the call was not made", async () => {
  const { open, root } = talk([bash("touch made")], { mode: "default" })
  const { session, events } = await open()
  const sent = session.send({ text: "go" })
  const asked = await until(session, ({ type }) => type === "approval-start")
  expect(session.status().waiting).toBe(true)
  await session.stop()
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect(events.find(({ type }) => type === "approval-end")).toMatchObject({ answer: "withdrawn" })
  void session.answer((asked as { approval: string }).approval, { answer: "once" })
  expect(existsSync(join(root, "made"))).toBe(false)
  expect((await shape(session)).at(-1)).toBe("tool: error")
  expect((await session.context()).at(-1)?.content).toMatchObject([{ output: expect.stringContaining("was not made") }])
})

test("while a sub-agent runs: it is stopped too, and its own calls are settled", async () => {
  const task = { name: "Task", input: { description: "sub", prompt: "below" } }
  const { open, host, parts: deps } = talk([{ calls: [task] }, bash(STUBBORN)])
  const { session } = await open()
  const sent = session.send({ text: "go" })
  await until(session, (event) => event.type === "tool-delta" && event.task !== undefined)
  await session.stop()
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect((await shape(session)).at(-1)).toBe("tool: error")
  const listed = (await host.list()).sessions.find(({ from }) => from?.as === "task")
  const below = await deps.store.open(listed?.id as never)
  const last = below.history.record(below.history.head)
  expect(last).toMatchObject({ type: "message", role: "tool", origin: "interrupt" })
  expect(below.lease.holder()).toBeUndefined()
  await below.close()
})

test("going back past the call of a sub-agent that runs stops it, and nothing of it follows", async () => {
  const task = { name: "Task", input: { description: "sub", prompt: "below" } }
  const { open, host, parts: deps } = talk([{ text: "Before." }, { calls: [task] }, bash(STUBBORN), { text: "Anew." }])
  const { session } = await open()
  await session.send({ text: "one" })
  const sent = session.send({ text: "two" })
  await until(session, (event) => event.type === "tool-delta" && event.task !== undefined)
  expect(await session.back()).toMatchObject({ outcome: "moved", prompt: { text: "two" } })
  expect(await sent).toMatchObject({ outcome: "stopped" })
  const listed = (await host.list()).sessions.find(({ from }) => from?.as === "task")
  const below = await deps.store.open(listed?.id as never)
  expect(below.lease.holder()).toBeUndefined()
  const { size } = below.history
  await session.send({ text: "three" })
  below.refresh()
  expect(below.history.size).toBe(size)
  await below.close()
  expect(await shape(session)).toEqual([
    "system: text",
    "user: text text",
    "assistant: text",
    "user: text text",
    "assistant: text",
  ])
})

test("while a compaction that a person asked for runs: nothing is compacted", async () => {
  const model = scriptedModel((request) =>
    textOf(request).includes("write a summary") ? { hangs: true } : { text: "Done." },
  )
  const { open } = makeTestHost({ model: async () => model })
  const { session } = await open()
  for (const text of ["one", "two", "three"]) await session.send({ text })
  const before = logOf(session)
  const compacting = session.compact()
  await until(session, ({ type }) => type === "compaction-start")
  expect(await session.stop()).toEqual({ stopped: true })
  expect(await compacting).toMatchObject({ outcome: "refused" })
  expect(logOf(session)).toBe(before)
  expect(await session.send({ text: "four" })).toMatchObject({ outcome: "done" })
})

test("while an automatic compaction runs: the prompt is withdrawn, and no warning is shown", async () => {
  const usage = { input: 30_000, output: 10 }
  const answers = [{ text: "One." }, { text: "Two." }, { text: "Three.", usage }, { hangs: true as const }]
  const model = scriptedModel(answers, { window: 32_768 })
  const { open } = makeTestHost({ model: async () => model })
  const { session, events } = await open()
  for (const text of ["one", "two", "three"]) await session.send({ text })
  const sent = session.send({ text: "four" })
  await until(session, ({ type }) => type === "compaction-start")
  expect(await session.stop()).toMatchObject({ withdrawn: { text: "four" } })
  expect(await sent).toMatchObject({ outcome: "withdrawn" })
  expect(events.filter(({ type }) => type === "notice")).toEqual([])
})

test("while the person's own command runs: it is ended, and what it printed is kept", async () => {
  const { open } = talk([])
  const { session } = await open()
  const sent = session.send({ text: STUBBORN, shell: true })
  await until(session, ({ type }) => type === "tool-delta")
  expect(await session.stop()).toEqual({ stopped: true })
  expect(await sent).toMatchObject({ outcome: "done" })
  expect((await session.context()).at(-1)?.content).toMatchObject([
    { text: expect.stringMatching(/started\n.*SIGKILL/s) },
  ])
})

test("going back while a turn runs stops it first, and the head is where back said", async () => {
  const { open, model } = talk([{ text: "One." }, { text: "Two." }, bash(STUBBORN), { text: "Late." }])
  const { session } = await open()
  await session.send({ text: "one" })
  await session.send({ text: "two" })
  const sent = session.send({ text: "three" })
  await until(session, ({ type }) => type === "tool-delta")
  const back = await session.back({ rounds: 2 })
  expect(back).toMatchObject({ outcome: "moved", prompt: { text: "two" } })
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect(session.history.id(session.head)).toBe((back as { head: string }).head)
  expect(model.requests).toHaveLength(3)
  expect((await shape(session)).slice(1)).toEqual(["user: text text", "assistant: text"])
})

test("asking what a move would do leaves a running turn alone, and so does a move to where the head is", async () => {
  const { open } = talk([{ text: "One." }, { ...bash("echo started; read line"), text: "Running." }])
  const { session } = await open()
  await session.send({ text: "one" })
  const sent = session.send({ text: "two" })
  await until(session, ({ type }) => type === "tool-delta")
  expect(await session.back({ dryRun: true })).toMatchObject({ prompt: { text: "two" } })
  expect(await session.goto("head")).toMatchObject({ outcome: "unchanged" })
  expect(await session.stop()).toEqual({ stopped: true })
  expect(await sent).toMatchObject({ outcome: "stopped" })
})

test("a turn that does not end when it is stopped is left behind, and another one can begin", async () => {
  let finish = () => {}
  const late = new Promise<string>((settle) => {
    finish = () => settle("Too late.")
  })
  const prompts = [() => late, async () => "Be kind."]
  const { open, model } = talk([{ text: "Two." }], { systemPrompt: () => prompts.shift()?.() ?? late })
  const { session, events } = await open()
  const sent = session.send({ text: "one" })
  expect(await session.stop()).toMatchObject({ stopped: true })
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect(events.filter(({ type }) => type === "turn-end")).toHaveLength(1)
  expect(await session.send({ text: "two" })).toMatchObject({ outcome: "done" })
  finish()
  await late
  expect(model.requests).toHaveLength(1)
  expect(logOf(session)).not.toContain("Too late.")
})

test("stopping twice, or when nothing runs, is harmless", async () => {
  const { open } = talk([{ text: "Hm", hangs: true }])
  const { session, events } = await open()
  expect(await session.stop()).toEqual({ stopped: false })
  const sent = session.send({ text: "go" })
  await until(session, ({ type }) => type === "text-delta")
  await Promise.all([session.stop(), session.stop()])
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect(events.filter(({ type }) => type === "turn-end")).toHaveLength(1)
})

test("what a command had printed when it was stopped stays, for the person and for the model", async () => {
  const { open, model } = talk([bash("echo 3 of 40 tests failed; sleep 60"), { text: "I saw." }])
  const { session, events } = await open()
  const sent = session.send({ text: "go" })
  await until(session, ({ type }) => type === "tool-delta")
  await session.stop()
  await sent
  const told = expect.stringMatching(/^3 of 40 tests failed\n[\s\S]*interrupted before it ended/)
  expect(events.find(({ type }) => type === "tool-end")).toMatchObject({ output: told, error: true })
  await session.send({ text: "what was printed?" })
  expect(textOf(model.requests.at(-1))).toContain("3 of 40 tests failed")
})

test("a move right after a prompt was sent takes that prompt back, not the one before it", async () => {
  const { open } = talk([{ text: "One." }, { text: "Two." }])
  const { session } = await open()
  await session.send({ text: "first" })
  const sent = session.send({ text: "second" })
  expect(await session.back()).toMatchObject({ outcome: "moved", prompt: { text: "second" } })
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect((await session.rounds()).map(({ text }) => text)).toEqual(["first"])
})

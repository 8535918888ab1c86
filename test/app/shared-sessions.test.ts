// Several front ends in one process: a terminal, pages, a voice.
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { accessTo } from "../../src/app/open/access.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import type { NumberedEvent } from "../../src/protocol/numbered-event.ts"
import { workIn } from "../../src/protocol/open-to-work.ts"
import type { SessionLog } from "../../src/store/port.ts"
import { makeTestHost, scriptedModel } from "../test-host.ts"
import { bash, talk, until } from "./talk.ts"

test("two that open the same session have one head, one turn and one stream of events", async () => {
  const { host, open } = talk([{ text: "One." }, { text: "Two." }])
  const { session } = await open()
  const other = await host.open(session.id)
  const [mine, theirs]: NumberedEvent[][] = [[], []]
  session.on((told) => mine?.push(told))
  other.on((told) => theirs?.push(told))
  await session.send({ text: "one" })
  await workIn(other).send({ text: "two" })
  expect(theirs).toEqual(mine)
  expect(other.head).toBe(session.head)
  expect(await other.back()).toMatchObject({ outcome: "moved", prompt: { text: "two" } })
  expect(session.head).toBe(other.head)
  expect(mine?.map(({ seq }) => seq)).toEqual(mine?.map((_, i) => i + 1))
  expect(mine?.every((told) => told.session === session.id)).toBe(true)
})

test("it closes with the last of them, and can be opened again at once", async () => {
  const { host, open } = talk([{ text: "One." }, { text: "Two." }])
  const { session } = await open()
  const other = await host.open(session.id)
  const heard: NumberedEvent[] = []
  other.on((told) => heard.push(told))
  await other.close()
  await other.close()
  expect(await session.send({ text: "one" })).toMatchObject({ outcome: "done" })
  expect(heard).toEqual([])
  const closing = session.close()
  const again = await host.open(session.id)
  await closing
  expect(await workIn(again).send({ text: "two" })).toMatchObject({ outcome: "done" })
  await again.close()
  await expect(workIn(again).send({ text: "three" })).rejects.toMatchObject({ code: "io" })
})

test("by its file it is the same one; a copy of the file is another, with its own head", async () => {
  const { host, open, root } = talk(() => ({ text: "Done." }))
  const { session } = await open()
  await session.send({ text: "one" })
  await session.send({ text: "two" })
  const same = await host.open({ path: session.file ?? "" })
  const copy = join(root, "copy.jsonl")
  copyFileSync(session.file ?? "", copy)
  const other = await host.open({ path: copy })
  const again = await host.open({ path: copy })
  await same.back()
  expect(session.head).toBe(same.head)
  expect(other.history.round(other.head)).toBe(2)
  await again.back()
  expect(other.history.round(other.head)).toBe(1)
  for (const each of [same, other, again]) await each.close()
})

test("what can be done is reported with the reason", () => {
  const log = { access: "full", agent: undefined, file: "/a.jsonl", header: { writes: 1 } } as never as SessionLog
  expect(accessTo(log)).toEqual({ can: "all" })
  expect(accessTo({ ...log, access: "read-only" })).toMatchObject({
    can: "look",
    because: expect.stringMatching(/newer/),
    failure: { code: "read-only", path: "/a.jsonl", because: "folder" },
  })
  const newer = { ...log, access: "read-only", header: { writes: 2 } } as SessionLog
  expect(accessTo(newer)).toMatchObject({ failure: { because: "format" } })
  const theirs = { ...log, access: "moves", agent: "claude-code" } as SessionLog
  expect(accessTo(theirs)).toMatchObject({ can: "move", because: expect.stringMatching(/Claude Code/) })
  const stays = { ...theirs, agent: "kimi-cli", followsMoves: false } as SessionLog
  expect(accessTo(stays)).toMatchObject({ can: "look", because: expect.stringMatching(/^Kimi CLI always continues/) })
  const gone = { ...theirs, followsMoves: false, gone: "2026-01-01" } as SessionLog
  expect(accessTo(gone)).toMatchObject({ can: "look", because: expect.stringMatching(/copy that retcon kept/) })
})

test("a client that leaves while others stay keeps what they typed, and stops nothing", async () => {
  const { host, open } = talk([{ text: "Hm", hangs: true }])
  const { session } = await open()
  const other = await host.open(session.id)
  const writing = until(session, ({ type }) => type === "text-delta")
  const sent = session.send({ text: "go" })
  await writing
  expect(await other.close({ text: "half a thought" })).toMatchObject({ draft: { text: "half a thought" } })
  expect(session.status().running).toBe(true)
  expect(session.takeDraft()).toMatchObject({ text: "half a thought" })
  await session.stop()
  expect(await sent).toMatchObject({ outcome: "stopped" })
})

test("numbering continues when a session is opened again", async () => {
  const { host, open } = talk([{ text: "One." }, { text: "Two." }])
  const { session } = await open()
  const heard: NumberedEvent[] = []
  session.on((told) => heard.push(told))
  await session.send({ text: "one" })
  await session.close()
  const { seq = 0, turn = 0 } = heard.at(-1) ?? {}
  const again = await host.open(session.id)
  again.on((told) => heard.push(told))
  await workIn(again).send({ text: "two" })
  await again.close()
  expect(heard.find((told) => told.seq > seq)).toMatchObject({ seq: seq + 1, turn })
  expect(new Set(heard.map((told) => told.seq)).size).toBe(heard.length)
})

test("each turn has a number; late events of a stopped one have a smaller number than those before them", async () => {
  let release = () => {}
  const late = new Promise<void>((settle) => (release = settle))
  const model = scriptedModel([{ text: "One." }])
  const stubborn = {
    ...model,
    async *step(request: Parameters<typeof model.step>[0]) {
      yield { type: "text-delta" as const, text: "Hm" }
      await late
      yield { type: "text-delta" as const, text: " too late" }
      yield* model.step(request)
    },
  }
  const { open } = makeTestHost({ model: async () => stubborn })
  const { session } = await open()
  const heard: NumberedEvent[] = []
  session.on((told) => heard.push(told))
  const writing = until(session, ({ type }) => type === "text-delta")
  const sent = session.send({ text: "go" })
  await writing
  const stopped = session.stop()
  expect(session.live()).toMatchObject({ text: "", prompt: null })
  release()
  await stopped
  await sent
  await session.label("head", "here")
  const newest = heard.at(-1)?.turn ?? 0
  expect(heard.find(({ event }) => event.type === "turn-start")?.turn).toBe(1)
  expect(newest).toBe(2)
  for (const { event, turn } of heard) {
    if (event.type === "text-delta" || event.type === "turn-end") expect([event.type, turn]).toEqual([event.type, 1])
  }
})

test("a client that joins late gets what is said, what runs, what is asked and what waits", async () => {
  const { host, open } = talk([bash("echo started; sleep 60")], { mode: "default" })
  const { session } = await open()
  expect(session.live()).toBeUndefined()
  const asked = until(session, ({ type }) => type === "approval-start")
  const sent = session.send({ text: "go" })
  const question = await asked
  if (question.type !== "approval-start") throw new Error("nothing was asked")
  const steered = session.send({ text: "and hurry" })
  const late = await host.open(session.id)
  expect(late.live()).toMatchObject({ turn: 1, text: "", approvals: [question], queued: ["and hurry"] })
  expect(late.history.id(late.head)).toBe(session.history.id(session.head))
  expect(late.head).not.toBe(NONE)
  const printed = until(session, ({ type }) => type === "tool-delta")
  expect(await workIn(late).answer(question.approval, { answer: "once" })).toBe(true)
  expect(await session.answer(question.approval, { answer: "no" })).toBe(false)
  await printed
  expect(late.live()).toMatchObject({ approvals: [], tools: [{ name: "Bash", output: "started\n", ended: false }] })
  await late.stop()
  expect(await steered).toMatchObject({ outcome: "withdrawn" })
  await sent
  expect(late.live()).toBeUndefined()
  await late.close()
})

test("questions of two sessions never have the same name", async () => {
  const { open } = talk(() => bash("true"), { mode: "default" })
  const names = new Set<string>()
  for (let i = 0; i < 2; i++) {
    const { session } = await open()
    const asked = until(session, ({ type }) => type === "approval-start")
    void session.send({ text: "go" })
    const event = await asked
    if (event.type === "approval-start") names.add(event.approval)
    await session.stop()
  }
  expect(names.size).toBe(2)
})

test("a status is sent whenever it changes, as status() returns it", async () => {
  const { open } = talk([{ text: "One." }])
  const { session } = await open()
  const told: boolean[] = []
  let last: unknown
  session.on(({ event }) => {
    if (event.type !== "status") return
    told.push(event.status.running)
    last = event.status
  })
  await session.send({ text: "one" })
  await session.setMode("default")
  await Promise.resolve()
  expect(told[0]).toBe(true)
  expect(told.at(-1)).toBe(false)
  expect(last).toEqual(session.status())
})

test("when the host closes, everyone is told, and what runs is stopped and settled", async () => {
  const { host, open } = talk([bash("echo started; sleep 60")])
  const { session, events } = await open()
  const list: string[] = []
  host.on(({ type }) => list.push(type))
  const printed = until(session, ({ type }) => type === "tool-delta")
  const sent = session.send({ text: "go" })
  await printed
  await host.close()
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect(events.map(({ type }) => type)).toContain("host-closing")
  expect(list.at(-1)).toBe("host-closing")
  await host.close()
})

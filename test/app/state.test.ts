// State follows the path: after any move the agent has the todos, the model and the knowledge of that point.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { makeTestHost, type ScriptedAnswer, scriptedModel, textOf } from "../test-host.ts"
import { talk } from "./talk.ts"

const todo = (text: string): ScriptedAnswer => ({
  calls: [{ name: "Todo", input: { todos: [{ text, status: "pending" }] } }],
})
const read: ScriptedAnswer = { calls: [{ name: "Read", input: { path: "a.txt" } }] }
const UNCHANGED = "has not changed since you read it"

test("todos return with back, undo and redo", async () => {
  const { open } = talk([todo("first"), { text: "One." }, todo("second"), { text: "Two." }])
  const { session } = await open()
  await session.send({ text: "one" })
  await session.send({ text: "two" })
  const now = async () => ((await session.state("todos")) as { text: string }[] | undefined)?.[0]?.text
  expect(await now()).toBe("second")
  await session.back()
  expect(await now()).toBe("first")
  await session.undo()
  expect(await now()).toBe("second")
  await session.redo()
  expect(await now()).toBe("first")
  await session.goto("@1")
  expect(await now()).toBeUndefined()
})

test("the model returns with back and undo, and is the one that is called", async () => {
  const models = new Map(["test/small", "test/large"].map((id) => [id, scriptedModel(() => ({ text: id }), { id })]))
  const { open, host, root } = makeTestHost({ model: async (name) => models.get(name ?? "test/small") as never })
  const { session } = await open()
  await session.send({ text: "one" })
  await session.setModel("test/large")
  await session.send({ text: "two" })
  await session.send({ text: "three" })
  expect(session.status().model).toBe("test/large")
  expect(models.get("test/large")?.requests).toHaveLength(2)
  await session.goto("@1")
  expect(session.status().model).toBe("test/small")
  await session.undo()
  expect(session.status().model).toBe("test/large")
  await session.close()
  const again = await host.open((await host.list({ cwd: root })).sessions[0]?.id as never)
  expect(again.status().model).toBe("test/large")
  await again.close()
})

test("a model on the path that is no longer available is reported, and the session continues", async () => {
  let gone = false
  const { open } = makeTestHost({
    async model(name) {
      const unknown = { code: "invalid" as const, problem: "There is no key for test/large.", advice: "Set one." }
      if (gone && name === "test/large") throw new RetconError(unknown)
      return scriptedModel(() => ({ text: "ok" }), { id: name ?? "test/small" })
    },
  })
  const { session, events } = await open()
  await session.setModel("test/large")
  await session.send({ text: "one" })
  const answer = session.history.id(session.head)
  await session.setModel("test/small")
  await session.send({ text: "two" })
  gone = true
  expect(await session.goto(answer)).toMatchObject({ outcome: "moved" })
  expect(events.find(({ type }) => type === "notice")).toMatchObject({ text: expect.stringContaining("no key") })
  expect(await session.send({ text: "three" })).toMatchObject({ outcome: "done" })
})

describe("opened again", () => {
  /** A machine where other models can be had later. */
  async function ranWith(model: string) {
    const machine = { found: model, keys: new Set([model]) }
    const asked: string[] = []
    const at = makeTestHost({
      async model(name) {
        const id = name ?? machine.found
        const answers = () => {
          asked.push(id)
          return { text: id }
        }
        if (machine.keys.has(id)) return scriptedModel(answers, { id })
        throw new RetconError({ code: "invalid", problem: `There is no key for ${id}.`, advice: "Set TEST_KEY" })
      },
    })
    const { session } = await at.open()
    await session.send({ text: "one" })
    await session.close()
    return { ...at, id: session.id, machine, asked }
  }

  test("a session continues with the model it was last run with, not with what is found by then", async () => {
    const { open, id, machine, asked } = await ranWith("test/free")
    machine.found = "test/paid"
    machine.keys.add("test/paid")
    const { session } = await open(id)
    expect(session.status().model).toBe("test/free")
    await session.send({ text: "two" })
    expect(asked).toEqual(["test/free", "test/free"])
    expect((await open()).session.status().model).toBe("test/paid")
  })

  test("a practice session reports that another model is available by now", async () => {
    const { open, id, machine } = await ranWith("practice")
    machine.found = "test/paid"
    machine.keys.add("test/paid")
    const { session, events } = await open(id)
    expect(session.status().model).toBe("practice")
    expect(events).toMatchObject([{ type: "notice", advice: ["For test/paid: ", { do: "model", name: "test/paid" }] }])
  })

  test("a model that cannot be used now is named, nothing is sent to another, and one can be chosen", async () => {
    const { open, id, machine, asked } = await ranWith("test/free")
    machine.found = "test/paid"
    machine.keys = new Set(["test/paid"])
    const { session, events } = await open(id)
    const words = "This session last used test/free, which is not available now: There is no key for test/free."
    expect(events).toMatchObject([
      { type: "notice", text: words, advice: expect.arrayContaining(["Set TEST_KEY", { do: "model" }]) },
    ])
    await expect(session.send({ text: "two" })).rejects.toThrow("is not available now")
    expect(await session.rounds()).toHaveLength(1)
    expect(asked).toEqual(["test/free"])
    await session.setModel("test/paid")
    expect(await session.send({ text: "two" })).toMatchObject({ outcome: "done" })
  })
})

test("a file read again is 'unchanged' only while the model sees the first reading", async () => {
  const note = { calls: [{ name: "Backtrack", input: { checkpoint_id: 0, note: "read it" } }] }
  const { open, root, model } = talk([read, read, note, read, { text: "Done." }])
  writeFileSync(join(root, "a.txt"), "the content\n")
  const { session } = await open()
  await session.send({ text: "go" })
  expect(textOf(model.requests[2])).toContain(UNCHANGED)
  expect(textOf(model.requests[3])).not.toContain("the content")
  expect(textOf(model.requests[4])).toContain("the content")
  expect(textOf(model.requests[4])).not.toContain(UNCHANGED)
})

test("after going back a file is read again", async () => {
  const { open, root, model } = talk([read, { text: "One." }, read, { text: "Two." }])
  writeFileSync(join(root, "a.txt"), "the content\n")
  const { session } = await open()
  await session.send({ text: "one" })
  await session.goto("@1")
  await session.send({ text: "one, otherwise" })
  expect(textOf(model.requests[3])).toContain("the content")
})

test("after a compaction that left it out a file is read again", async () => {
  const rounds = [read, { text: "One." }, { text: "Two." }, { text: "Three." }]
  const { open, root, model } = talk([...rounds, { text: "## Goal\nRead a.txt." }, read, { text: "Four." }])
  writeFileSync(join(root, "a.txt"), "the content\n")
  const { session } = await open()
  for (const text of ["one", "two", "three"]) await session.send({ text })
  expect(await session.compact()).toMatchObject({ outcome: "compacted" })
  await session.send({ text: "four" })
  expect(textOf(model.requests[5])).not.toContain("the content")
  expect(textOf(model.requests[6])).toContain("the content")
})

test("consent does not follow: an approval for the session outlives going back, a mode too", async () => {
  const touch = (name: string): ScriptedAnswer => ({ calls: [{ name: "Bash", input: { command: `touch ${name}` } }] })
  const { open } = talk([touch("a"), { text: "One." }, touch("a"), { text: "Two." }], { mode: "default" })
  const { session, events } = await open()
  session.on(({ event }) => {
    if (event.type === "approval-start") void session.answer(event.approval, { answer: "session" })
  })
  await session.send({ text: "one" })
  await session.goto("@1")
  await session.send({ text: "again" })
  expect(events.filter(({ type }) => type === "approval-start")).toHaveLength(1)
  await session.setMode("yolo")
  await session.undo()
  expect(session.status().mode).toBe("yolo")
  const { session: id } = await session.split()
  const copy = await open(id)
  expect(copy.session.status().mode).toBe("default")
  expect((await copy.session.permissions()).allow).toEqual([])
})

test("a mode asked for on the command line counts over what the session was set to", async () => {
  const { open, parts: deps } = talk([])
  const { session } = await open()
  await session.setMode("yolo")
  await session.close()
  const { makeHost } = await import("../../src/app/host.ts")
  const strict = await makeHost({ ...deps, askedMode: "default" }).open(session.id)
  expect(strict.status().mode).toBe("default")
  await workIn(strict).setMode("autoEdit")
  expect(strict.status().mode).toBe("autoEdit")
  await strict.close()
})

test("a mode or a model set by the person ends what the command line asked for, also in a copy or a new session", async () => {
  const { parts: deps, root } = talk([], { mode: "default" })
  const { makeHost } = await import("../../src/app/host.ts")
  const named = async (name = "configured") => ({ ...(await deps.model(undefined)), id: name })
  const host = makeHost({ ...deps, askedMode: "yolo", model: named }, "asked")
  const session = await host.create({ cwd: root })
  expect(session.status()).toMatchObject({ mode: "yolo", model: "asked" })
  await session.setMode("default")
  await session.setModel("set")
  const copy = await host.open((await session.split()).session)
  expect(copy.status()).toMatchObject({ mode: "default", model: "set" })
  const fresh = await host.create({ cwd: root })
  expect(fresh.status()).toMatchObject({ mode: "default", model: "configured" })
  for (const each of [session, copy, fresh]) await each.close()
})

test("a mode set by the person never widens another session beyond what the command line asked for", async () => {
  const { parts: deps, root } = talk([], { mode: "yolo" })
  const { makeHost } = await import("../../src/app/host.ts")
  const host = makeHost({ ...deps, askedMode: "default" })
  const session = await host.create({ cwd: root })
  await session.setMode("autoEdit")
  const fresh = await host.create({ cwd: root })
  expect([session.status().mode, fresh.status().mode]).toEqual(["autoEdit", "default"])
  await fresh.setMode("yolo")
  expect(fresh.status().mode).toBe("yolo")
  for (const each of [session, fresh]) await each.close()
})

test("with sessions apart, what is set in one stays in that one, also after it was closed", async () => {
  const { parts: deps, root } = talk([], { mode: "default" })
  const { makeHost } = await import("../../src/app/host.ts")
  const named = async (name = "configured") => ({ ...(await deps.model(undefined)), id: name })
  const host = makeHost({ ...deps, askedMode: "yolo", model: named }, "asked", { sessions: "apart" })
  const session = await host.create({ cwd: root })
  await session.setMode("default")
  await session.setModel("set")
  await session.close()
  const again = await host.open(session.id)
  expect(again.status()).toMatchObject({ mode: "default", model: "set" })
  const fresh = await host.create({ cwd: root })
  expect(fresh.status()).toMatchObject({ mode: "yolo", model: "asked" })
  for (const each of [again, fresh]) await each.close()
})

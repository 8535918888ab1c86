// Sub-agents: sessions of their own, from the entry that called them.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { prompts } from "../../src/history/tree/tree.ts"
import type { SessionId } from "../../src/model/id.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import type { Host } from "../../src/protocol/host.ts"
import type { StepRequest } from "../../src/provider/port/port.ts"
import { textOf } from "../test-host.ts"
import { bash, talk, until } from "./talk.ts"

const task = (prompt: string, more: object = {}) => ({ name: "Task", input: { description: "sub", prompt, ...more } })
const offered = (request: StepRequest) => request.tools.map(({ name }) => name)
const isMain = (request: StepRequest) => offered(request).includes("Backtrack")
const results = (events: HostEvent[]) =>
  events.flatMap((event) => (event.type === "tool-end" && event.task === undefined ? [event.output] : []))
const tasks = async (host: Host) => (await host.list()).sessions.filter(({ from }) => from?.as === "task")

test("a task has its own session, from the calling entry; its answer is the tool's result", async () => {
  const {
    open,
    host,
    parts: deps,
  } = talk([{ calls: [task("look below")] }, { text: "Found: 42." }, { text: "It is 42." }])
  const { session, events } = await open()
  await session.send({ text: "go" })
  const [below] = await tasks(host)
  expect(below?.from).toMatchObject({ session: session.id, as: "task" })
  const caller = session.history.record(session.history.rowOf(below?.from?.entry as string))
  expect(caller).toMatchObject({ role: "assistant", content: [{ type: "tool-call", name: "Task" }] })
  expect(results(events)).toEqual([expect.stringMatching(/^Found: 42\..*resume/s)])
  const log = await deps.store.open(below?.id as SessionId)
  expect(prompts(log.history, log.history.head)).toEqual([])
  expect(readFileSync(log.file as string, "utf8")).toContain('"origin":"task"')
  await log.close()
  expect(prompts(session.history, session.head)).toHaveLength(1)
})

test("it has no Backtrack, no checkpoints, and a system prompt that does not mention them", async () => {
  const { open, model } = talk([{ calls: [task("look below")] }, { text: "Found." }, { text: "Done." }], {
    systemPrompt: async (_, { tools, agent }) => `${agent}: ${tools.map(({ name }) => name).join()}`,
  })
  const { session } = await open()
  await session.send({ text: "go" })
  const [above, below] = model.requests as [StepRequest, StepRequest]
  expect(offered(above)).toContain("Backtrack")
  expect(offered(below)).not.toContain("Backtrack")
  expect(textOf(below)).toMatch(/^sub-agent: Read/)
  expect(textOf(below)).not.toMatch(/Checkpoint|Backtrack/)
})

test("its events carry its session and its depth; the parent's do not", async () => {
  const { open, host } = talk([{ calls: [task("below")] }, { text: "Found." }, { text: "Done." }])
  const { session, events } = await open()
  await session.send({ text: "go" })
  const [below] = await tasks(host)
  const said = events.flatMap((event) => (event.type === "text-delta" ? [[event.text, event.task?.session]] : []))
  expect(said).toEqual([
    ["Found.", below?.id],
    ["Done.", undefined],
  ])
  expect(events.filter(({ type, task: from }) => type === "turn-end" && from === undefined)).toHaveLength(1)
})

test("several at once run in parallel", async () => {
  // Each waits until all three are there.
  const waiting: (() => void)[] = []
  const { open, host } = talk(async (request, n) => {
    if (n === 0) return { calls: [task("a"), task("b"), task("c")] }
    if (isMain(request)) return { text: "Done." }
    const all = new Promise<void>((settle) => waiting.push(settle))
    if (waiting.length === 3) for (const go of waiting) go()
    await all
    return { text: "Ready." }
  })
  const { session } = await open()
  expect(await session.send({ text: "go" })).toMatchObject({ outcome: "done" })
  expect(await tasks(host)).toHaveLength(3)
})

test("one can be continued by its id, in the same session; an unknown or foreign one is an error", async () => {
  let id = ""
  const { open, host, model } = talk((request, n) => {
    id ||= /\[Sub-agent (\S+):/.exec(textOf(request))?.[1] ?? ""
    if (!isMain(request)) return { text: n === 1 ? "First answer." : "Second answer." }
    if (n === 0) return { calls: [task("first question")] }
    if (n === 2) return { calls: [task("second question", { resume: id })] }
    if (n === 4) return { calls: [task("x", { resume: "nonsense" }), task("x", { resume: session.id })] }
    if (n === 5) return { calls: [task("x", { resume: session.id })] }
    return { text: "Done." }
  })
  const { session, events } = await open()
  await session.send({ text: "go" })
  expect(await tasks(host)).toHaveLength(1)
  expect(textOf(model.requests[3])).toMatch(/first question.*First answer\..*second question/s)
  expect(results(events).slice(2)).toEqual([
    'There is no sub-agent "nonsense". Leave "resume" out to start one.',
    expect.stringContaining("not a sub-agent of this one"),
    expect.stringContaining("not a sub-agent of this one"),
  ])
})

test("it can be continued in a later turn, and not twice at once", async () => {
  let id = ""
  const { open } = talk((request, n) => {
    id ||= /\[Sub-agent (\S+):/.exec(textOf(request))?.[1] ?? ""
    if (!isMain(request)) return { text: "Answer." }
    if (n === 0) return { calls: [task("one")] }
    if (n === 3) return { calls: [task("two", { resume: id }), task("three", { resume: id })] }
    return { text: "Done." }
  })
  const { session, events } = await open()
  await session.send({ text: "go" })
  await session.send({ text: "again" })
  expect(results(events).slice(1)).toEqual([
    expect.stringContaining("still running"),
    expect.stringContaining("Answer."),
  ])
})

test("a sub-agent may give tasks, and that one may not", async () => {
  const { open, host, model } = talk((request, n) => {
    if (n === 0) return { calls: [task("level one")] }
    if (n === 1) return { calls: [task("level two")] }
    return { text: isMain(request) ? "Done." : "Below." }
  })
  const { session, events } = await open()
  await session.send({ text: "go" })
  expect(offered(model.requests[1] as StepRequest)).toContain("Task")
  expect(offered(model.requests[2] as StepRequest)).not.toContain("Task")
  const all = await tasks(host)
  expect(all).toHaveLength(2)
  const first = all.find(({ from }) => from?.session === session.id)
  expect(all.some(({ from }) => from?.session === first?.id)).toBe(true)
  expect(events.flatMap(({ task: from }) => from?.depth ?? [])).toContain(2)
})

test("changes of files, of two levels and in parallel, belong to the round that called", async () => {
  const write = (path: string) => ({ name: "Write", input: { path, content: "x\n" } })
  const { open, root } = talk((request) => {
    const seen = textOf(request)
    if (isMain(request)) {
      if (!seen.includes("go below")) return { text: "Hello." }
      return seen.includes("[Sub-agent") ? { text: "Done." } : { calls: [task("left"), task("right")] }
    }
    const name = seen.includes("deeper") ? "deeper" : seen.includes("left") ? "left" : "right"
    if (seen.includes("Wrote") || seen.includes("Created") || seen.includes("made-")) return { text: "Written." }
    return { calls: [{ ...write(`made-${name}.txt`) }, ...(name === "left" ? [task("deeper")] : [])] }
  })
  const { session } = await open()
  await session.send({ text: "hello" })
  await session.send({ text: "go below" })
  const made = ["made-deeper.txt", "made-left.txt", "made-right.txt"]
  for (const name of made) expect(existsSync(join(root, name))).toBe(true)
  expect(
    (await session.rounds())
      .at(-1)
      ?.files.map(({ path }) => path)
      .sort(),
  ).toEqual(made)
  const back = await session.back({ files: "restore" })
  expect(back).toMatchObject({ outcome: "moved", files: made.map((path) => ({ path, change: "deleted" })) })
  for (const name of made) expect(existsSync(join(root, name))).toBe(false)
})

test("commands of two sub-agents at the same time: going back takes both changes back, once", async () => {
  const { open, root } = talk((request) => {
    const seen = textOf(request)
    if (isMain(request)) {
      if (!seen.includes("go below")) return { text: "Hello." }
      return seen.includes("[Sub-agent") ? { text: "Done." } : { calls: [task("left"), task("right")] }
    }
    if (request.messages.some(({ role }) => role === "tool")) return { text: "Ready." }
    const [name, other] = seen.includes("left") ? ["left", "right"] : ["right", "left"]
    const meets = `until [ -e ${other}.txt ]; do sleep 0.02; done`
    return bash(`echo ${name} > ${name}.txt; ${meets}; echo ${name} >> ${name}.txt`)
  })
  const { session } = await open()
  await session.send({ text: "hello" })
  await session.send({ text: "go below" })
  expect(readFileSync(join(root, "left.txt"), "utf8")).toBe("left\nleft\n")
  const back = await session.back({ files: "restore" })
  expect(back).toMatchObject({ outcome: "moved" })
  expect(existsSync(join(root, "left.txt")) || existsSync(join(root, "right.txt"))).toBe(false)
  await session.undo()
  expect(readFileSync(join(root, "right.txt"), "utf8")).toBe("right\nright\n")
})

test("its failure is the tool's error, and the parent continues", async () => {
  const problem = { kind: "server" as const, message: "The server is down." }
  const { open } = talk((request, n) =>
    n === 0 ? { calls: [task("below")] } : isMain(request) ? { text: "So." } : { problem },
  )
  const { session, events } = await open()
  expect(await session.send({ text: "go" })).toMatchObject({ outcome: "done" })
  expect(results(events)).toEqual([expect.stringContaining("The server is down.")])
})

test("its questions go to the person, and their answer for the session counts in the parent's", async () => {
  const touch = { calls: [{ name: "Bash", input: { command: "touch below.txt" } }] }
  const { open, root } = talk([{ calls: [task("below")] }, touch, { text: "Made." }, { text: "Done." }], {
    mode: "default",
  })
  const { session } = await open()
  const sent = session.send({ text: "go" })
  const asked = await until(session, ({ type }) => type === "approval-start")
  expect(existsSync(join(root, "below.txt"))).toBe(false)
  void session.answer((asked as { approval: string }).approval, { answer: "session" })
  await sent
  expect(existsSync(join(root, "below.txt"))).toBe(true)
  expect((await session.permissions()).allow).toMatchObject([{ rule: expect.stringContaining("touch") }])
})

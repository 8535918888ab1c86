import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { builtInTools } from "../../src/agent/tools/built-in.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { makeTestHost } from "../test-host.ts"
import { talk } from "./talk.ts"

test("a prompt is carried out with real tools, and going back with files takes it back", async () => {
  const { root, open } = makeTestHost()
  const { session, events } = await open()
  expect(await session.send({ text: "create a.txt with hello" })).toMatchObject({ outcome: "done" })
  expect(readFileSync(join(root, "a.txt"), "utf8").trim()).toBe("hello")
  await session.send({ text: "run echo more > b.txt" })
  expect(existsSync(join(root, "b.txt"))).toBe(true)
  const back = await session.back({ files: "restore" })
  expect(back).toMatchObject({ outcome: "moved", files: [{ path: "b.txt", change: "deleted" }] })
  expect(existsSync(join(root, "b.txt"))).toBe(false)
  expect(events.filter((event) => event.type === "turn-end")).toHaveLength(2)
})

test("the agent backtracks, the person sees it, and undo takes it back", async () => {
  const { open, root } = makeTestHost()
  const { writeFileSync } = await import("node:fs")
  for (let i = 0; i < 8; i++) writeFileSync(join(root, `file${i}.txt`), `fact ${i}\n`)
  const { session, events } = await open()
  await session.send({ text: "explore" })
  const backtracked = events.find((event) => event.type === "backtracked")
  expect(backtracked).toMatchObject({ checkpoint: 0 })
  expect(session.history.tips().length).toBeGreaterThan(1)
  expect(await session.undo()).toMatchObject({ outcome: "moved" })
  expect(await session.undo()).toMatchObject({ outcome: "moved", kind: "undo" })
})

test("a sub-agent has its own session, and its changes belong to the round that called it", async () => {
  const { open, root, host } = makeTestHost()
  const { session } = await open()
  await session.send({ text: "help" })
  await session.send({ text: "delegate: create sub.txt with from below" })
  expect(existsSync(join(root, "sub.txt"))).toBe(true)
  expect((await host.list({ cwd: root })).sessions.filter((each) => each.from?.as === "task")).toHaveLength(1)
  const back = await session.back({ files: "restore" })
  expect(back).toMatchObject({ outcome: "moved", files: [{ path: "sub.txt", change: "deleted" }] })
  expect(existsSync(join(root, "sub.txt"))).toBe(false)
})

test("a turn that a defect ends has ended for everyone who saw it start", async () => {
  const at = talk([{ calls: [{ name: "Glob", input: { pattern: "*" } }] }], {
    tools: async (tools) =>
      builtInTools(tools).map((tool) => ({
        ...tool,
        effects: () => {
          throw new TypeError("a defect")
        },
      })),
  })
  const { session, events } = await at.open()
  await expect(session.send({ text: "hi" })).rejects.toThrow("a defect")
  expect(events.map(({ type }) => type)).toContain("turn-start")
  expect(events.at(-1)).toMatchObject({ type: "turn-end", outcome: "failed" })
  expect(session.status().running).toBe(false)
})

test("the end of a call names the files that it changed, and of one that only reads none", async () => {
  const calls = [
    { name: "Write", input: { path: "new.txt", content: "x\n" } },
    { name: "Bash", input: { command: "echo more >> new.txt; echo other > other.txt" } },
    { name: "Read", input: { path: "new.txt" } },
  ]
  const { open } = talk([{ calls }, { text: "Done." }])
  const { session, events } = await open()
  await session.send({ text: "go" })
  const changed = events.flatMap((event) =>
    event.type === "tool-end" ? [event.files.map(({ path, change }) => `${change} ${path}`)] : [],
  )
  expect(changed).toEqual([["added new.txt"], ["modified new.txt", "added other.txt"], []])
})

test("a session is not opened while the rules of what is allowed cannot be read", async () => {
  const problem = "config.json cannot be read"
  const unreadable = () => {
    throw new RetconError({ code: "invalid", problem, advice: [] })
  }
  const { host, root, open, parts } = makeTestHost()
  const { session } = await open()
  await session.close()
  parts.rules = unreadable
  await expect(host.open(session.id)).rejects.toThrow(problem)
  await expect(host.create({ cwd: root })).rejects.toThrow(problem)
})

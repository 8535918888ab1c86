import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { StepHooks } from "../../src/agent/step/step-context.ts"
import { modelOf, scripted, setting, takeStep } from "./setting.ts"

test("an answer without calls ends, with its text and usage", async () => {
  const { result, events } = await takeStep(setting(), scripted({ text: "Done." }))
  expect(result).toEqual({
    outcome: "ended",
    content: [{ type: "text", text: "Done." }],
    reason: "stop",
    usage: { input: 10, output: 5 },
  })
  expect(events.map((event) => event.type)).toEqual(["text-start", "text-delta", "text-end"])
})

test("an empty answer is recognised", async () => {
  const { result } = await takeStep(setting(), scripted({ text: " \n" }))
  expect(result.outcome).toBe("empty")
})

test("files are written, changed, read and listed by one answer, in the order of its calls", async () => {
  const at = setting()
  const { outputs, events } = await takeStep(
    at,
    scripted({
      text: "Working.",
      calls: [
        { name: "Write", input: { path: "src/a.txt", content: "one\ntwo\n" } },
        { name: "Edit", input: { path: "src/a.txt", old: "two", new: "2" } },
        { name: "Read", input: { path: "src/a.txt" } },
        { name: "Bash", input: { command: "cat src/a.txt; echo err >&2" } },
        { name: "Glob", input: { pattern: "*.txt" } },
        { name: "Grep", input: { pattern: "^o" } },
      ],
    }),
  )
  expect(outputs).toEqual([
    "Created src/a.txt (2 lines).",
    "Changed src/a.txt (line 2).",
    "1\tone\n2\t2",
    "one\n2\nerr",
    "src/a.txt",
    "src/a.txt:1: one",
  ])
  expect(readFileSync(join(at.root.folder, "src/a.txt"), "utf8")).toBe("one\n2\n")
  const ofBash = events.filter((event) => "call" in event && event.call === "call-4").map((event) => event.type)
  expect([ofBash[0], ...new Set(ofBash.slice(1))]).toEqual(["tool-call", "tool-start", "tool-delta", "tool-end"])
})

test("the answer is recorded before anything runs, and each tool runs between its two hooks", async () => {
  const at = setting()
  const order: string[] = []
  const hooks: StepHooks = {
    answered: async ({ content }) => void order.push(`answered ${content.length}, ${existsSync(at.file("a"))}`),
    beforeTool: async ({ name, effects }) => {
      order.push(`before ${name} ${effects.effect} ${effects.anywhere} ${effects.paths.length}`)
      return undefined
    },
    afterTool: async ({ name }, result) => void order.push(`after ${name} ${result.error === true}`),
  }
  const calls = [
    { name: "Write", input: { path: "a", content: "x" } },
    { name: "Bash", input: { command: "exit 3" } },
  ]
  await takeStep(at, scripted({ calls }), { hooks })
  expect(order).toEqual([
    "answered 2, false",
    "before Write writes false 1",
    "after Write false",
    "before Bash runs true 0",
    "after Bash true",
  ])
})

test("a hook can refuse a call, and its words reach the model", async () => {
  const at = setting()
  const hooks: StepHooks = { beforeTool: async () => ({ refuse: "No snapshot could be taken." }) }
  const { outputs } = await takeStep(at, scripted({ calls: [{ name: "Write", input: { path: "a", content: "x" } }] }), {
    hooks,
  })
  expect(outputs).toEqual(["No snapshot could be taken."])
  expect(existsSync(at.file("a"))).toBe(false)
})

test("a hook that fails ends the step with its failure", async () => {
  const hooks: StepHooks = { beforeTool: () => Promise.reject(new Error("disk full")) }
  const calls = [{ name: "Read", input: { path: "." } }]
  await expect(takeStep(setting(), scripted({ calls }), { hooks })).rejects.toThrow("disk full")
})

test("a failure of the model is a value, with the text that came before it", async () => {
  const model = modelOf(async function* () {
    yield { type: "text-start" }
    yield { type: "text-delta", text: "Void" }
    yield { type: "retry", attempt: 1, waitMs: 0, problem: "overloaded" }
    yield { type: "text-start" }
    yield { type: "text-delta", text: "So far" }
    yield { type: "tool-call", call: "c", name: "Read", input: { path: "." } }
    yield { type: "failed", problem: { kind: "server", message: "overloaded", status: 529 } }
  })
  const { result } = await takeStep(setting(), model)
  expect(result).toEqual({
    outcome: "failed",
    problem: { kind: "server", message: "overloaded", status: 529 },
    partial: [{ type: "text", text: "So far" }],
  })
})

test("a model that breaks its contract is a failure as well", async () => {
  const endless = await takeStep(
    setting(),
    modelOf(async function* () {
      yield { type: "text-start" }
    }),
  )
  expect(endless.result).toMatchObject({ outcome: "failed", problem: { kind: "network" } })
  const throwing = await takeStep(
    setting(),
    modelOf(() => {
      throw new Error("not today")
    }),
  )
  expect(throwing.result).toMatchObject({ outcome: "failed", problem: { kind: "server", message: "not today" } })
})

test("stopping ends a model that hangs, at once", async () => {
  const stop = new AbortController()
  const model = modelOf(async function* () {
    yield { type: "text-start" }
    yield { type: "text-delta", text: "Hm" }
    queueMicrotask(() => stop.abort())
    await new Promise(() => undefined)
  })
  const { result } = await takeStep(setting(), model, { signal: stop.signal })
  expect(result).toMatchObject({
    outcome: "failed",
    problem: { kind: "aborted" },
    partial: [{ type: "text", text: "Hm" }],
  })
})

test("no key reaches an output, neither from the environment nor from a file", async () => {
  const key = "sk-secret-0123456789"
  const at = setting({ ".env": `KEY=${key}\n` })
  const calls = [
    { name: "Bash", input: { command: "cat .env" } },
    { name: "Read", input: { path: ".env" } },
  ]
  const { result, events } = await takeStep(at, scripted({ calls }), { secrets: [key] })
  expect(JSON.stringify([result, events])).not.toContain(key)
})

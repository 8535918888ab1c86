// Providers bind reasoning to what stood before it. Whatever a person or the agent does, no request holds reasoning behind
// another beginning than its own; and where the beginning is the same, the reasoning is still there.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { builtInTools } from "../../src/agent/tools/built-in.ts"
import type { HostDeps } from "../../src/app/port/host-deps.ts"
import type { StepRequest } from "../../src/provider/port/port.ts"
import { makeTestHost, type ScriptedAnswer, textOf } from "../test-host.ts"
import { type BindingModel, bindingModel } from "./binding-model.ts"

const read: ScriptedAnswer = { calls: [{ name: "Read", input: { path: "a.txt" } }] }
const backtrack = (checkpoint_id: number): ScriptedAnswer => ({
  calls: [{ name: "Backtrack", input: { checkpoint_id, note: "a.txt holds x" } }],
})

/** Reads a file in every round, and says so. */
const reads = (request: StepRequest): ScriptedAnswer => {
  if (textOf(request).includes("write a summary of this conversation")) return { text: "## Goal\nRead." }
  return request.messages.at(-1)?.role === "tool" ? { text: "Read." } : read
}

function reasoningIn(request: StepRequest | undefined): number {
  return (request?.messages ?? []).flatMap(({ content }) => content).filter(({ type }) => type === "reasoning").length
}

function talk(model: BindingModel, changes: Partial<HostDeps> = {}) {
  const at = makeTestHost({ model: async () => model, ...changes })
  writeFileSync(join(at.root, "a.txt"), "x\n")
  return at
}

test("after a compaction the kept tail has no reasoning, and what follows it has", async () => {
  const model = bindingModel(reads)
  const { session } = await talk(model).open()
  for (const text of ["one", "two", "three", "four"]) await session.send({ text })
  expect(reasoningIn(model.requests.at(-1))).toBe(7)
  expect(await session.compact()).toMatchObject({ outcome: "compacted" })
  expect(await session.send({ text: "five" })).toMatchObject({ outcome: "done" })
  expect(await session.send({ text: "six" })).toMatchObject({ outcome: "done" })
  expect(textOf(model.requests.at(-1))).toContain("three")
  expect(reasoningIn(model.requests.at(-1))).toBe(3)
  expect(model.refused).toEqual([])
})

test("back, undo, redo, goto and a backtrack keep the reasoning of what stays", async () => {
  const model = bindingModel((request) =>
    textOf(request).endsWith("explore\n<system>Checkpoint 4</system>") ? backtrack(4) : reads(request),
  )
  const { session, events } = await talk(model).open()
  for (const text of ["one", "two", "three"]) await session.send({ text })
  await session.back()
  await session.send({ text: "explore" })
  expect(events.filter(({ type }) => type === "backtracked")).toHaveLength(1)
  expect(reasoningIn(model.requests.at(-1))).toBeGreaterThan(3)
  await session.undo()
  await session.send({ text: "after an undo" })
  await session.goto("@2")
  await session.send({ text: "elsewhere" })
  await session.undo()
  await session.undo()
  await session.send({ text: "at the end" })
  expect(model.refused).toEqual([])
  expect(reasoningIn(model.requests.at(-1))).toBeGreaterThan(3)
})

const others: [string, Partial<HostDeps>][] = [
  ["without Backtrack", { backtrack: false }],
  ["without a tool that was there", { tools: async (tools) => builtInTools(tools).slice(1) }],
  [
    "with another description of a tool",
    { tools: async (tools) => builtInTools(tools).map((tool) => ({ ...tool, description: `${tool.description}!` })) },
  ],
]

test.each(others)("a session that continues %s sends no reasoning from before, and then its own", async (_, change) => {
  const model = bindingModel(reads)
  const parts: Partial<HostDeps> = {}
  const at = talk(model, parts)
  const { session } = await at.open()
  for (const text of ["one", "two"]) await session.send({ text })
  await session.close()
  Object.assign(at.parts, change)
  const again = (await at.open(session.id)).session
  const asked = model.requests.length
  for (const text of ["three", "four"]) expect(await again.send({ text })).toMatchObject({ outcome: "done" })
  expect(reasoningIn(model.requests[asked])).toBe(0)
  expect(reasoningIn(model.requests.at(-1))).toBeGreaterThan(0)
  expect(textOf(model.requests.at(-1))).toContain("one")
  expect(model.refused).toEqual([])
})

test("one undo takes back a round that began with other tools, and the context is what it was", async () => {
  const model = bindingModel(reads)
  const at = talk(model)
  const { session } = await at.open()
  await session.send({ text: "one" })
  const before = await session.context()
  await session.close()
  at.parts.backtrack = false
  const again = (await at.open(session.id)).session
  await again.send({ text: "two" })
  expect(await again.undo()).toMatchObject({ outcome: "moved", prompt: { text: "two" } })
  expect(await again.context()).toEqual(before)
})

test("another model gets no reasoning of the first, and the first gets its own again after going back", async () => {
  const models = ["scripted/one", "scripted/two"].map((id) => bindingModel(reads, { id })) as [
    BindingModel,
    BindingModel,
  ]
  const at = talk(models[0], { model: async (name) => (name === "scripted/two" ? models[1] : models[0]) })
  const { session } = await at.open()
  await session.send({ text: "one" })
  await session.setModel("scripted/two")
  await session.send({ text: "two" })
  expect(reasoningIn(models[1].requests[0])).toBe(0)
  await session.goto("@2")
  await session.setModel("scripted/one")
  await session.send({ text: "two again" })
  expect(reasoningIn(models[0].requests.at(-1))).toBeGreaterThan(1)
  expect(models.flatMap(({ refused }) => refused)).toEqual([])
})

test("a summary of what is left, and one that is asked for with other tools, hold no reasoning that is bound elsewhere", async () => {
  const model = bindingModel((request) =>
    textOf(request).includes("to try another way") ? { text: "It was x." } : reads(request),
  )
  const at = talk(model)
  const { session } = await at.open()
  for (const text of ["one", "two", "three", "four"]) await session.send({ text })
  expect(await session.goto("@4", { summarise: true })).toMatchObject({ outcome: "moved" })
  expect(await session.send({ text: "five" })).toMatchObject({ outcome: "done" })
  await session.close()
  at.parts.backtrack = false
  const again = (await at.open(session.id)).session
  expect(await again.compact()).toMatchObject({ outcome: "compacted" })
  expect(await again.send({ text: "six" })).toMatchObject({ outcome: "done" })
  expect(model.refused).toEqual([])
})

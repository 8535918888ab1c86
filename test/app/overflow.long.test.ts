// A conversation can always go on: with a provider that holds every request to its window, summaries included.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { builtInTools } from "../../src/agent/tools/built-in.ts"
import type { HostDeps } from "../../src/app/port/host-deps.ts"
import type { CompactionRecord } from "../../src/model/record/record.ts"
import type { WorkSession } from "../../src/protocol/host.ts"
import type { StepRequest } from "../../src/provider/port/port.ts"
import { WINDOW_LIMITS } from "../../src/runner/window/threshold.ts"
import { makeTestHost, type ScriptedAnswer, textOf } from "../test-host.ts"
import { requestTokens, type WindowModel, type WindowOptions, windowModel } from "./window-model.ts"

const read = (...paths: string[]): ScriptedAnswer => ({
  calls: paths.map((path) => ({ name: "Read", input: { path } })),
})
const afterResults = (request: StepRequest) => request.messages.at(-1)?.role === "tool"

function talk(model: WindowModel, changes: Partial<HostDeps> = {}) {
  // A few small tools, so that a small window has room for a conversation.
  const tools: HostDeps["tools"] = async (parts) =>
    builtInTools(parts)
      .filter(({ name }) => name === "Read" || name === "Bash")
      .map((tool) => ({ ...tool, description: tool.name }))
  return makeTestHost({ model: async () => model, tools, backtrack: false, ...changes })
}

function compactions(session: WorkSession): CompactionRecord[] {
  return Array.from({ length: session.history.size }, (_, row) => session.history.record(row)).filter(
    (record) => record?.type === "compaction",
  )
}

const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i} of a file, with words`).join("\n")

const windows: [string, WindowOptions][] = [
  ["a window that is known", { holds: 8_000, known: 8_000 }],
  ["a window that nobody said", { holds: 8_000 }],
  [
    "a window that a refusal names",
    { holds: 8_000, says: () => "This model's maximum context length is 8000 tokens." },
  ],
  ["a window that is smaller than is known", { holds: 8_000, known: 32_000 }],
]

test.each(windows)("one large Read in %s: the turn ends well, and so does the next", async (_, options) => {
  const model = windowModel((request) => (afterResults(request) ? { text: "Read." } : read("large.txt")), options)
  const { open, root } = talk(model)
  writeFileSync(join(root, "large.txt"), lines(1_500))
  const { session } = await open()
  for (const text of ["Read it.", "And again.", "And once more."]) {
    expect(await session.send({ text })).toMatchObject({ outcome: "done" })
  }
  if (options.known === 8_000) expect(model.refused).toEqual([])
})

test("after one refusal that names no limit, the window is known well enough: nothing that large is sent again", async () => {
  const model = windowModel(() => ({ text: "Fine." }), { holds: 8_000 })
  const { session } = await talk(model).open()
  await session.send({ text: "word ".repeat(2_000) })
  expect(session.status().context.window).toBeUndefined()
  expect(await session.send({ text: "word ".repeat(6_000) })).toMatchObject({ outcome: "done" })
  expect(model.refused).toHaveLength(1)
  const { window } = session.status().context
  expect(window).toBeGreaterThan(0.7 * (model.refused[0] ?? 0))
  expect(window).toBeLessThan(0.9 * (model.refused[0] ?? 0))
})

test("eight Reads at 141k of 200k stay within the window, and say where the rest is", async () => {
  const names = Array.from({ length: 8 }, (_, i) => `file-${i}.txt`)
  const model = windowModel(
    (request, n) =>
      n === 0
        ? { text: "ok", usage: { input: 141_000, output: 100 } }
        : afterResults(request)
          ? { text: "Read." }
          : read(...names),
    { holds: 200_000, known: 200_000 },
  )
  const { open, root } = talk(model)
  for (const name of names) writeFileSync(join(root, name), lines(1_600))
  const { session } = await open()
  await session.send({ text: "one" })
  expect(await session.send({ text: "Read all." })).toMatchObject({ outcome: "done" })
  const results = model.requests
    .flatMap(({ messages }) => messages.at(-1)?.content ?? [])
    .filter(({ type }) => type === "tool-result")
  expect(results).toHaveLength(8)
  const outputs = results.map((result) => (result.type === "tool-result" ? result.output : ""))
  for (const output of outputs) expect(output).toMatch(/\(There is more: continue with offset \d+\.\)$/)
  expect(outputs.join("").length / 4).toBeLessThan(34_000)
  expect(model.refused).toEqual([])
})

test("output that is denser than it looks is cut to what is left of the window, and all of it is in a file", async () => {
  const model = windowModel(
    (request) =>
      afterResults(request) ? { text: "Seen." } : { calls: [{ name: "Bash", input: { command: "cat dense.txt" } }] },
    { holds: 9_000, known: 9_000 },
  )
  // A token for each character, as of some scripts.
  const { open, root } = talk(model, {
    tokens: (text) => Math.ceil(text.replaceAll(/[^永]/g, "").length + text.length / 4),
  })
  const dense = `${"永字八法".repeat(40)}\n`.repeat(50)
  writeFileSync(join(root, "dense.txt"), dense)
  const { session } = await open()
  expect(await session.send({ text: "Show it." })).toMatchObject({ outcome: "done" })
  const seen = textOf(model.requests.at(-1))
  const [, file] = /All of it is in (\S+); read the part you need/.exec(seen) ?? []
  expect(readFileSync(file as string, "utf8").trim()).toBe(dense.trim())
})

test("a conversation that a smaller model takes over is summarised in pieces, each within its window", async () => {
  const large = windowModel((request) => (afterResults(request) ? { text: "Read." } : read("large.txt")), {
    holds: 1_000_000,
    known: 1_000_000,
  })
  const small = windowModel(() => ({ text: "Going on." }), { holds: 6_000, known: 6_000 })
  const { open, root } = talk(large, { model: async (name) => (name === "small" ? { ...small, id: "small" } : large) })
  const { session } = await open()
  for (let n = 0; n < 30; n++) {
    writeFileSync(join(root, "large.txt"), `${n}\n${lines(1_000)}`)
    await session.send({ text: `Round ${n}: ${"words ".repeat(150)}` })
  }
  await session.setModel("small")
  expect(await session.send({ text: "And now?" })).toMatchObject({ outcome: "done" })
  expect(small.refused).toEqual([])
  const parts = small.summaries.map((request) => /This is part \d+ of \d+/.exec(textOf(request))?.[0])
  expect(parts.length).toBeGreaterThan(1)
  expect(parts).toEqual(parts.map((_, i) => `This is part ${i + 1} of ${parts.length}`))
  expect(textOf(small.summaries.at(-1))).toContain("Go on.")
  expect(textOf(small.requests.at(-1))).toContain("And now?")
})

test("of a conversation that does not fit, the oldest results are shortened first, and what was said stays", async () => {
  const model = windowModel((request, n) => (afterResults(request) ? { text: `Answer ${n}.` } : read("large.txt")), {
    holds: 40_000,
    known: 40_000,
  })
  const { open, root } = talk(model, { limits: { ...WINDOW_LIMITS, ratio: 1, reserve: [[0, 0]] } })
  const { session } = await open()
  for (let n = 0; model.summaries.length === 0 && n < 9; n++) {
    writeFileSync(join(root, "large.txt"), `file ${n}\n${lines(700)}`)
    expect(await session.send({ text: `Prompt ${n}` })).toMatchObject({ outcome: "done" })
  }
  const asked = textOf(model.summaries[0])
  expect(asked).toContain("This is the conversation, as text.")
  expect(asked).toMatch(/file 0\n[\s\S]*?characters left out here/)
  const newest = asked.lastIndexOf("Result of Read")
  expect(asked.slice(newest)).not.toContain("characters left out here")
  for (const said of ["Prompt 0", "Answer 1."]) expect(asked).toContain(said)
})

test("the prompt that is worked on survives a compaction, though it is longer than all that is kept of others", async () => {
  const task = `The task. ${"requirement ".repeat(3_000)} The end of the task.`
  const model = windowModel((_, n) => (n < 4 ? read("large.txt") : { text: "Done." }), { holds: 40_000, known: 40_000 })
  const { open, root } = talk(model)
  writeFileSync(join(root, "large.txt"), lines(2_000))
  const { session } = await open()
  expect(await session.send({ text: task })).toMatchObject({ outcome: "done" })
  expect(compactions(session).length).toBeGreaterThan(0)
  expect(textOf(model.requests.at(-1))).toContain(task)
})

test("a prompt that is larger than the window is shortened, with the file that holds all of it", async () => {
  const task = `First words. ${"requirement ".repeat(6_000)} Last words.`
  const model = windowModel(() => ({ text: "Done." }), { holds: 9_000, known: 9_000 })
  const { session } = await talk(model).open()
  expect(await session.send({ text: task })).toMatchObject({ outcome: "done" })
  const seen = textOf(model.requests.at(-1))
  expect(seen).toContain("First words.")
  expect(seen).toContain("Last words.")
  const [, file] = /All of it is in (\S+); read the part you need/.exec(seen) ?? []
  expect(readFileSync(file as string, "utf8")).toBe(task)
})

test("where a compaction frees little none is made: a small window does not compact in every turn", async () => {
  const model = windowModel(() => ({ text: "A short answer." }), { holds: 3_500, known: 3_500 })
  const { session } = await talk(model, { systemPrompt: async () => "word ".repeat(2_200) }).open()
  for (let n = 0; n < 12; n++) expect(await session.send({ text: `prompt ${n}` })).toMatchObject({ outcome: "done" })
  expect(requestTokens(model.requests.at(-1) as StepRequest)).toBeGreaterThan(2_450)
  expect(compactions(session)).toEqual([])
})

test("in a small window it keeps so little that it helps", async () => {
  const model = windowModel(() => ({ text: "y".repeat(4000) }), { holds: 8_192, known: 8_192 })
  const { session, events } = await talk(model).open()
  for (let n = 0; n < 12; n++) expect(await session.send({ text: `prompt ${n}` })).toMatchObject({ outcome: "done" })
  expect(compactions(session).length).toBeGreaterThan(1)
  expect(compactions(session).length).toBeLessThan(7)
  expect(session.status().context.used).toBeLessThan(8_192)
  expect(events.filter((event) => event.type === "compaction-end" && event.problem !== undefined)).toEqual([])
  expect(model.refused).toEqual([])
})

test("how many rounds stay word for word is a setting", async () => {
  const kept = async (keepRounds: number) => {
    const model = windowModel((_, n) => ({ text: `answer ${n}` }), { holds: 100_000, known: 100_000 })
    const { session } = await talk(model, { limits: { ...WINDOW_LIMITS, keepRounds } }).open()
    for (let n = 0; n < 5; n++) await session.send({ text: `prompt ${n}` })
    await session.compact()
    return textOf({ messages: await session.context() }).match(/answer \d/g)
  }
  expect(await kept(1)).toEqual(["answer 4"])
  expect(await kept(3)).toEqual(["answer 2", "answer 3", "answer 4"])
  expect(await kept(0)).toEqual(null)
})

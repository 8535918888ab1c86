// Compaction through the whole loop: when it fires, what it keeps, what happens when it fails, and how it is undone.
import { expect, test } from "vitest"
import type { CompactionRecord } from "../../src/model/record/record.ts"
import type { WorkSession } from "../../src/protocol/host.ts"
import type { StepRequest } from "../../src/provider/port/port.ts"
import { makeTestHost, type Script, type ScriptedAnswer, scriptedModel, textOf } from "../test-host.ts"
import { until } from "./talk.ts"

const WINDOW = 200_000
const FULL = 150_000
const isSummary = (request: StepRequest | undefined) => textOf(request).includes("write a summary of this conversation")
const overflow = { problem: { kind: "overflow" as const, message: "too many tokens" } }

/** A model with a window that answers `script`, and `summary` when it is asked for one. */
function talk(script: Script, summary: Script = () => ({ text: "## Goal\nGo on." })) {
  const asked: StepRequest[] = []
  const model = scriptedModel(
    (request) => {
      if (isSummary(request)) return summary(request, 0)
      asked.push(request)
      return script(request, asked.length - 1)
    },
    { window: WINDOW },
  )
  const at = makeTestHost({ model: async () => model })
  return { ...at, model, asked, summaries: () => model.requests.filter(isSummary) }
}

function compactions(session: WorkSession): CompactionRecord[] {
  const found: CompactionRecord[] = []
  for (let row = 0; row < session.history.size; row++) {
    const record = session.history.record(row)
    if (record?.type === "compaction") found.push(record)
  }
  return found
}

const using = (input: number): ScriptedAnswer => ({ text: "ok", usage: { input, output: 0 } })

test.each([
  [FULL - 2000, 0],
  [FULL, 1],
])("with %i tokens used it fires %i times, in the real loop", async (used, times) => {
  const { open } = talk((_, n) => using(n === 2 ? used : 100))
  const { session, events } = await open()
  for (const text of ["one", "two", "three", "four"]) await session.send({ text })
  expect(compactions(session)).toHaveLength(times)
  expect(events.filter(({ type }) => type === "compaction-start")).toHaveLength(times)
  if (times === 1) expect(compactions(session)[0]).toMatchObject({ cause: "threshold", tokens: { before: used + 5 } })
})

test("output that was not sent yet can make it fire, within a turn", async () => {
  const command = "head -c 25000 /dev/zero | tr '\\0' x"
  const { open, asked } = talk((_, n) =>
    n < 2
      ? using(100)
      : n === 2
        ? { ...using(FULL - 5000), calls: [{ name: "Bash", input: { command } }] }
        : using(100),
  )
  const { session } = await open()
  for (const text of ["one", "two", "three"]) await session.send({ text })
  expect(compactions(session)).toHaveLength(1)
  expect(textOf(asked[3])).toContain("Previous context has been compacted")
  expect(textOf(asked[3])).toContain("xxxx")
})

test("an unknown window never fires", async () => {
  const model = scriptedModel(() => using(10_000_000))
  const { session } = await makeTestHost({ model: async () => model }).open()
  for (const text of ["one", "two", "three"]) await session.send({ text })
  expect(compactions(session)).toEqual([])
})

test("overflow: it is compacted and the step is retried", async () => {
  const { open, asked } = talk((_, n) => (n === 3 ? overflow : using(100)))
  const { session, events } = await open()
  for (const text of ["one", "two", "three"]) await session.send({ text })
  expect(await session.send({ text: "four" })).toMatchObject({ outcome: "done" })
  expect(compactions(session)).toMatchObject([{ cause: "overflow" }])
  expect(textOf(asked[4])).toContain("Previous context has been compacted")
  expect(textOf(asked[4])).toContain("four")
  expect(events.findLast(({ type }) => type === "turn-end")).toMatchObject({ outcome: "done" })
})

test("persistent overflow ends with a message, not with a loop", async () => {
  const { open, model } = talk((_, n) => (n >= 3 ? overflow : using(100)))
  const { session } = await open()
  for (const text of ["one", "two", "three"]) await session.send({ text })
  expect(await session.send({ text: "four" })).toMatchObject({
    outcome: "failed",
    message: expect.stringContaining("too long for the model"),
    advice: expect.arrayContaining([{ do: "back" }]),
  })
  expect(model.requests.length).toBeLessThan(10)
})

test.each([
  ["a failure", { problem: { kind: "server" as const, message: "the server is down" } }, "the server is down"],
  ["an empty summary", { text: " \n" }, "empty summary"],
])("%s at the threshold warns once in a turn, and the turn continues", async (_, summary, words) => {
  const todo = (n: number) => ({ name: "Todo", input: { todos: [{ text: `${n}`, status: "doing" }] } })
  const { open, summaries } = talk(
    (_request, n) => (n > 2 && n < 6 ? { ...using(FULL), calls: [todo(n)] } : using(n === 2 ? FULL : 100)),
    () => summary,
  )
  const { session, events } = await open()
  for (const text of ["one", "two", "three"]) await session.send({ text })
  expect(await session.send({ text: "four" })).toMatchObject({ outcome: "done" })
  expect(events.filter(({ type }) => type === "notice")).toMatchObject([{ text: expect.stringContaining(words) }])
  const problem = expect.stringContaining(words)
  const failed = { type: "compaction-end", cause: "threshold", entry: null, messages: 0, missing: [], problem }
  expect(events.filter(({ type }) => type === "compaction-end")).toEqual([failed])
  expect(summaries()).toHaveLength(1)
  expect(compactions(session)).toEqual([])
})

test("a failure at overflow stops the turn with a clear message", async () => {
  const down = { problem: { kind: "server" as const, message: "The server is down." } }
  const { open, summaries } = talk(
    (_, n) => (n === 2 ? overflow : using(100)),
    () => down,
  )
  const { session } = await open()
  for (const text of ["one", "two"]) await session.send({ text })
  expect(await session.send({ text: "three" })).toMatchObject({
    outcome: "failed",
    message: expect.stringContaining("The server is down."),
  })
  expect(summaries()).toHaveLength(1)
})

test("prompts are kept word for word, the newest first, up to 5,000 tokens; one more is shortened", async () => {
  const { open, asked } = talk(() => using(100))
  const { session } = await open()
  const long = (n: number) => `prompt ${n} ${"é".repeat(7000)}`
  for (let n = 1; n <= 6; n++) await session.send({ text: long(n) })
  for (const text of ["five", "six"]) await session.send({ text })
  expect(await session.compact()).toMatchObject({ outcome: "compacted" })
  const [fourth, ...whole] = compactions(session)[0]?.prompts ?? []
  expect(whole).toEqual([long(5), long(6)])
  expect(fourth).toMatch(/^prompt 4 é+\n\[\d+ characters left out here\]\né+\n<system>This message is shortened\./)
  await session.send({ text: "go on" })
  expect(textOf(asked.at(-1))).toContain(long(6))
  expect(textOf(asked.at(-1))).not.toContain("prompt 3")
})

test("the tail is the last two rounds, when they are small", async () => {
  const { open } = talk((_, n) => ({ text: `answer ${n + 1}`, usage: { input: 9, output: 1 } }))
  const { session } = await open()
  for (const text of ["one", "two", "three", "four"]) await session.send({ text })
  await session.compact()
  const seen = textOf({ messages: await session.context() })
  expect(seen.match(/answer \d/g)).toEqual(["answer 3", "answer 4"])
})

test("the tail is at most 20,000 tokens, and never begins with a result", async () => {
  const command = (n: number) => `echo out-${n}; head -c 24000 /dev/zero | tr '\\0' x`
  const { open } = talk((_, n) =>
    n < 6 ? { ...using(100), calls: [{ name: "Bash", input: { command: command(n) } }] } : using(100),
  )
  const { session } = await open()
  await session.send({ text: "one long round" })
  expect(await session.compact()).toMatchObject({ outcome: "compacted" })
  const context = await session.context()
  const kept = textOf({ messages: context.slice(2) })
  expect(kept.length / 4).toBeLessThan(20_000)
  expect(kept.match(/out-\d/g)?.at(-1)).toBe("out-5")
  expect(kept).not.toContain("out-1")
  expect(context.slice(0, 3).map(({ role }) => role)).toEqual(["system", "user", "assistant"])
  const calls = context.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "tool-call" ? part.call : [])),
  )
  const results = context.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "tool-result" ? part.call : [])),
  )
  expect(results).toEqual(calls)
})

test("undo un-compacts, and going back to before it works", async () => {
  const { open } = talk((_, n) => ({ text: `answer ${n + 1}`, usage: { input: 9, output: 1 } }))
  const { session } = await open()
  for (const text of ["one", "two", "three", "four"]) await session.send({ text })
  const before = await session.context()
  await session.compact()
  expect(await session.context()).not.toEqual(before)
  expect(await session.undo()).toMatchObject({ outcome: "moved", kind: "undo" })
  expect(await session.context()).toEqual(before)
  await session.redo()
  await session.send({ text: "five" })
  expect(await session.goto("@2")).toMatchObject({ outcome: "moved", prompt: { text: "two" } })
  expect(textOf({ messages: await session.context() }).match(/answer \d/g)).toEqual(["answer 1"])
  expect(textOf({ messages: await session.context() })).not.toContain("compacted")
})

test("a second compaction summarises the first one's summary, and resurrects nothing, also after reopening", async () => {
  const { open, summaries } = talk(
    (_, n) => ({ text: `answer ${n + 1}`, usage: { input: 9, output: 1 } }),
    (request) => ({ text: textOf(request).includes("SUMMARY-1") ? "SUMMARY-2" : "SUMMARY-1" }),
  )
  const { session } = await open()
  for (const text of ["one", "two", "three"]) await session.send({ text })
  await session.compact()
  for (const text of ["four", "five", "six"]) await session.send({ text })
  await session.compact()
  expect(textOf(summaries()[1])).toContain("SUMMARY-1")
  expect(textOf(summaries()[1])).not.toContain("answer 1")
  const seen = textOf({ messages: await session.context() })
  expect(seen).toContain("SUMMARY-2")
  expect(seen).not.toContain("SUMMARY-1")
  expect(seen.match(/answer \d/g)).toEqual(["answer 5", "answer 6"])
  await session.close()
  expect(textOf({ messages: await (await open(session.id)).session.context() })).toBe(seen)
})

test("the report names what was replaced and what the summary no longer mentions", async () => {
  const { open } = talk(
    () => ({ text: "The port 8080 is set in src/server/config.ts by readConfig.", usage: { input: 9, output: 1 } }),
    () => ({ text: "The port is set by readConfig." }),
  )
  const { session } = await open()
  for (const text of ["one", "two", "three"]) await session.send({ text })
  expect(await session.compact()).toMatchObject({
    outcome: "compacted",
    messages: 2,
    missing: ["8080", "src/server/config.ts"],
  })
})

test("a wish for the summary is in the request and the record; nothing to compact is reported", async () => {
  const { open, summaries } = talk(() => using(100))
  const { session } = await open()
  expect(await session.compact()).toMatchObject({ outcome: "refused", failure: { code: "nothing-to-compact" } })
  for (const text of ["one", "two", "three"]) await session.send({ text })
  await session.compact("the database")
  expect(textOf(summaries()[0])).toContain("Pay special attention to: the database")
  expect(compactions(session)[0]?.focus).toBe("the database")
})

test("requested while a turn runs: with nothing to compact the turn continues; otherwise it is stopped first", async () => {
  const { open } = talk((_, n) => (n === 0 || n === 4 ? { text: "Half", hangs: true } : using(100)))
  const { session, events } = await open()
  const inMidText = async () => {
    const said = until(session, ({ type }) => type === "text-delta")
    const sent = session.send({ text: "go on" })
    await said
    return { sent }
  }
  const first = await inMidText()
  expect(await session.compact()).toMatchObject({ outcome: "refused", failure: { code: "nothing-to-compact" } })
  expect(session.status().running).toBe(true)
  expect(events.filter(({ type }) => type === "turn-end" || type === "compaction-start")).toEqual([])
  await session.stop()
  await first.sent
  for (const text of ["one", "two", "three"]) await session.send({ text })
  const second = await inMidText()
  expect(await session.compact()).toMatchObject({ outcome: "compacted" })
  expect(await second.sent).toMatchObject({ outcome: "stopped" })
  expect(textOf({ messages: await session.context() })).toContain("go on")
  expect(await session.send({ text: "next" })).toMatchObject({ outcome: "done" })
})

test("what it was and what it is are both counted with the system prompt and the tools", async () => {
  const { open } = talk(() => ({ text: "ok ".repeat(2000) }))
  const { session } = await open()
  for (const text of ["one", "two", "three", "four"]) await session.send({ text })
  expect(await session.compact()).toMatchObject({ outcome: "compacted" })
  const [compaction] = compactions(session)
  // The status counts the system prompt, and not the tools.
  expect(compaction?.tokens?.after).toBeGreaterThan(session.status().context.used)
})

test("a summary that would free little is not made, also when a person asks for it", async () => {
  const { open, summaries } = talk((_, n) => ({ text: n === 0 ? "short ".repeat(100) : "long ".repeat(2000) }))
  const { session } = await open()
  for (const text of ["one", "two", "three"]) await session.send({ text })
  expect(await session.compact()).toMatchObject({ outcome: "refused", failure: { code: "nothing-to-compact" } })
  expect(summaries()).toEqual([])
})

// What a model, a tool or a provider may do wrong: each has an end, and words.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { HostEvent } from "../../src/protocol/event.ts"
import type { Timing } from "../../src/provider/port/timing.ts"
import { VENDORS } from "../provider/fakes/vendors.ts"
import { anthropicError } from "../provider/wire/anthropic.ts"
import { FAKES, type Fake, modelAt, SECRET, type WireReply } from "../provider/wire/server.ts"
import { textOf } from "../test-host.ts"
import { bash, shape, talk } from "./talk.ts"
import { wireHost } from "./wire.ts"

const outputs = (events: HostEvent[]) => events.flatMap((event) => (event.type === "tool-end" ? [event.output] : []))

test("an unknown tool: the model learns which there are, and continues", async () => {
  const { open, model } = talk([{ calls: [{ name: "Reed", input: { path: "a" } }] }, { text: "Oh." }])
  const { session } = await open()
  expect(await session.send({ text: "go" })).toMatchObject({ outcome: "done" })
  expect(textOf(model.requests[1])).toContain(`There is no tool "Reed". Tools: Read, `)
})

test("an empty answer is retried once; two end the turn with a message", async () => {
  const again = talk([{}, { text: "Here." }])
  expect(await (await again.open()).session.send({ text: "go" })).toMatchObject({ outcome: "done" })
  const { open, model } = talk([{}, {}, { text: "never" }])
  const { session } = await open()
  expect(await session.send({ text: "go" })).toMatchObject({
    outcome: "failed",
    message: "The model sent an empty answer, twice.",
    advice: expect.arrayContaining([{ do: "model" }]),
  })
  expect(model.requests).toHaveLength(2)
  expect(await session.send({ text: "again" })).toMatchObject({ outcome: "done" })
})

test("an answer of thinking alone is not asked for again with the same request: the model is told what is missing", async () => {
  const at = await wireHost(VENDORS.anthropic, { backtrack: false })
  const { session } = await at.open()
  at.say({ reasoning: "Hm." }, { text: "Here." })
  expect(await session.send({ text: "go" })).toMatchObject({ outcome: "done" })
  const [first, second] = at.server.bodies.map(({ messages }) => JSON.stringify(messages))
  expect(first).not.toContain("gave no answer")
  expect(second).toContain("<system>You thought, but gave no answer and called no tool. Do so now.</system>")
  at.say({ reasoning: "Hm." }, { reasoning: "Hm again." })
  expect(await session.send({ text: "again" })).toMatchObject({
    outcome: "failed",
    message: "The model only thought and gave no answer, twice.",
  })
  expect(at.server.bodies).toHaveLength(4)
  expect(at.server.refused).toEqual([])
})

test("200 parallel calls are all answered, in order, in one message", async () => {
  const calls = Array.from({ length: 200 }, (_, n) => ({ name: "Read", input: { path: `file-${n}.txt` }, id: `c${n}` }))
  const { open, root, model } = talk([{ calls }, { text: "Done." }])
  for (let n = 0; n < 200; n++) writeFileSync(join(root, `file-${n}.txt`), `content ${n}\n`)
  const { session } = await open()
  expect(await session.send({ text: "go" })).toMatchObject({ outcome: "done" })
  const results = model.requests[1]?.messages.at(-1)?.content.filter(({ type }) => type === "tool-result")
  expect(results?.map((part) => (part as { call: string }).call)).toEqual(calls.map(({ id }) => id))
  expect(results?.every((part, n) => (part as { output: string }).output.includes(`content ${n}`))).toBe(true)
})

test("endless identical calls are refused, and then the turn ends with a message", async () => {
  const { open, model } = talk(() => bash("echo same"))
  const { session, events } = await open()
  expect(await session.send({ text: "go" })).toMatchObject({
    outcome: "failed",
    message: expect.stringContaining("repeating the same call"),
  })
  expect(model.requests.length).toBeLessThan(10)
  expect(outputs(events).at(-1)).toContain("Refused: this is the same call as before")
  expect((await shape(session)).at(-1)).toMatch(/^tool: /)
})

test("too many steps end the turn, and the next prompt continues", async () => {
  let n = 0
  const { open, model } = talk(() => bash(`echo ${n++}`), { maxSteps: 3 })
  const { session } = await open()
  expect(await session.send({ text: "go" })).toMatchObject({
    outcome: "failed",
    message: "Stopped after 3 steps, the limit for one turn.",
    advice: expect.arrayContaining([{ do: "max-steps" }]),
  })
  expect(model.requests).toHaveLength(3)
})

test("50 MB of output: the model gets its ends, the log stays small, and all of it is in a file", async () => {
  const { open, model, home } = talk([
    bash("yes 0123456789abcdef | head -c 52428800; echo; echo THE END"),
    { text: "Much." },
  ])
  const { session } = await open()
  expect(await session.send({ text: "go" })).toMatchObject({ outcome: "done" })
  const seen = textOf(model.requests[1])
  expect(seen.length).toBeLessThan(60_000)
  expect(seen).toContain("THE END")
  const file = /All of it is in (\S+);/.exec(seen)?.[1] ?? ""
  expect(file.startsWith(home)).toBe(true)
  expect(statSync(file).size).toBe(52_428_800 + "\nTHE END\n".length)
  expect(statSync(session.file as string).size).toBeLessThan(200_000)
})

test("a person's command with 50 MB of output does not fill the context either", async () => {
  const { open } = talk([])
  const { session } = await open()
  await session.send({ text: "yes 0123456789abcdef | head -c 52428800", shell: true })
  expect(textOf({ messages: await session.context() }).length).toBeLessThan(60_000)
})

/** Waiting takes no time: the clock goes on by as much. */
function hurried(): Timing {
  let time = 0
  const sleep = async (ms: number) => {
    await new Promise((settle) => setImmediate(settle))
    time += ms
  }
  return { now: () => time, random: () => 0.5, sleep }
}

describe.each(Object.values(FAKES) as Fake[])("$endpoint.provider $endpoint.name", (fake) => {
  const sent = async (...replies: WireReply[]) => {
    const at = await wireHost(fake)
    const { session, events } = await at.open()
    at.server.otherwise = () => replies.at(-1) as WireReply
    at.server.reply(...replies)
    const answer = await session.send({ text: "go" })
    return { at, session, events, answer }
  }

  test("invalid JSON in a call: the model is told, and goes on", async () => {
    const at = await wireHost(fake)
    const { session } = await at.open()
    const input = fake === FAKES.google ? { file: 1 } : '{"path": "a.txt"'
    at.say({ calls: [{ id: "c1", name: "Read", input }] }, { text: "Sorry." })
    expect(await session.send({ text: "go" })).toMatchObject({ outcome: "done" })
    expect(at.server.requests[1]?.text).toMatch(/not valid|does not fit/)
  })

  test("401 ends the turn and names the key's place, not the key", async () => {
    const { answer, session, events } = await sent({ status: 401, body: { error: { message: `bad key ${SECRET}` } } })
    expect(answer).toMatchObject({
      outcome: "failed",
      advice: expect.arrayContaining([expect.stringContaining("key")]),
    })
    expect(JSON.stringify([answer, events])).not.toContain(SECRET)
    expect(await session.undo()).toMatchObject({ outcome: "moved", prompt: { text: "go" } })
  })

  test("429 is retried, visibly; if it persists, the turn ends with a message", async () => {
    const limited = { status: 429, body: { error: { message: "slow down", type: "rate_limit_error" } } }
    const { at, events, answer } = await sent(limited)
    expect(at.server.requests.length).toBeGreaterThan(1)
    expect(events.filter(({ type }) => type === "retry").length).toBe(at.server.requests.length - 1)
    expect(answer).toMatchObject({ outcome: "failed", advice: expect.stringContaining("Wait") })
    const better = await sent(limited, fake.reply({ text: "Here." }))
    expect(better.answer).toMatchObject({ outcome: "done" })
  })

  test("500 is retried and ends with a message", async () => {
    const { answer, events } = await sent({ status: 500, body: { error: { message: "boom" } } })
    expect(answer).toMatchObject({ outcome: "failed" })
    expect(events.some(({ type }) => type === "retry")).toBe(true)
    expect(events.at(-1)).toMatchObject({ type: "turn-end", outcome: "failed", message: expect.any(String) })
  })

  test("a provider that stalls ends with a message", async () => {
    const at = await wireHost(fake)
    const model = modelAt(at.server, fake, { timing: hurried() })
    const stalled = await wireHost(fake, { model: async () => model })
    at.server.otherwise = () => ({ events: [], ending: "hang" })
    const { session } = await stalled.open()
    const answer = await session.send({ text: "go" })
    expect(answer).toMatchObject({ outcome: "failed", advice: expect.stringContaining("connection") })
  })

  test("no key is in any file, event or error, also when a tool prints it", async () => {
    const at = await wireHost(fake, { secrets: [SECRET], env: { PATH: process.env.PATH ?? "", LEAK: SECRET } })
    const { session, events } = await at.open()
    mkdirSync(join(at.root, "sub"))
    at.say({ calls: [{ id: "c1", name: "Bash", input: { command: "echo key: $LEAK" } }] }, { text: "Hm." })
    await session.send({ text: "go" })
    at.server.otherwise = () => anthropicError(400, "invalid_request_error", `your key ${SECRET} is wrong`)
    const failed = await session.send({ text: "again" })
    expect(JSON.stringify([failed, events])).not.toContain(SECRET)
    expect(JSON.stringify(events)).toContain("[key removed]")
    await session.close()
    expect(filesIn(at.home).filter((file) => readFileSync(file).includes(SECRET))).toEqual([])
  })
})

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

test.each([
  ["length", "The answer was cut off: it reached the model's output limit."],
  ["filter", "The answer was cut off, because the provider refused to continue it."],
] as const)("an answer that ends by %s is reported as cut off", async (finish, said) => {
  const { open } = talk([{ text: "Half an ans", finish }])
  const { session, events } = await open()
  expect(await session.send({ text: "tell me all" })).toMatchObject({ outcome: "done" })
  expect(events.flatMap((event) => (event.type === "notice" ? [event.text] : [])).join()).toContain(said)
})

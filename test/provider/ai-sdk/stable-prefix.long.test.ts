// Appending to a conversation leaves what was sent before as it was, so that the prompt cache stays.
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isObject, type Json, type JsonObject } from "../../../src/model/json.ts"
import type { Part } from "../../../src/model/record/record.ts"
import type { ModelMessage } from "../../../src/provider/port/port.ts"
import { png } from "../fakes/images.ts"
import { eventsOf, FAKES, type Fake, modelAt, READ, WireServer } from "../wire/server.ts"

const text = fc.string({ minLength: 1, maxLength: 12 }).map((value): Part => ({ type: "text", text: `${value}.` }))
const checkpoint = fc.nat(20).map((n): Part => ({ type: "text", text: `<system>Checkpoint ${n}</system>` }))
const image = fc.constant<Part>({ type: "image", mediaType: "image/png", data: png() })

/** A round: a prompt, some steps with calls and results, an answer. Markers may follow what is ours. */
const round = fc
  .record({
    prompt: fc.array(fc.oneof(text, image), { minLength: 1, maxLength: 3 }),
    marks: fc.array(checkpoint, { maxLength: 2 }),
    steps: fc.array(
      fc.record({
        calls: fc.integer({ min: 1, max: 3 }),
        say: fc.array(text, { maxLength: 1 }),
        marks: fc.array(checkpoint, { maxLength: 2 }),
      }),
      { maxLength: 3 },
    ),
    answer: text,
  })
  .map(({ prompt, marks, steps, answer }): ModelMessage[] => {
    const messages: ModelMessage[] = [{ role: "user", content: [...prompt, ...marks] }]
    for (const [index, step] of steps.entries()) {
      const ids = Array.from({ length: step.calls }, (_, n) => `call-${index}-${n}`)
      const calls = ids.map((call): Part => ({ type: "tool-call", call, name: "Read", input: { path: call } }))
      const results = ids.map((call): Part => ({ type: "tool-result", call, name: "Read", output: `of ${call}` }))
      messages.push(
        { role: "assistant", content: [...step.say, ...calls] },
        { role: "tool", content: [...results, ...step.marks] },
      )
    }
    return [...messages, { role: "assistant", content: [answer] }]
  })

const conversation = fc.array(round, { minLength: 1, maxLength: 3 }).map((rounds) => rounds.flat())

/** Everything that is sent, in order, as one list of blocks; cache markers apart. */
function blocksOf(body: JsonObject): string[] {
  const messages = body.messages ?? body.contents ?? body.input
  const head = [JSON.stringify([body.system ?? body.systemInstruction ?? null, body.tools ?? null], withoutMarks)]
  return head.concat((Array.isArray(messages) ? messages : []).flatMap(blocksOfMessage))
}

function blocksOfMessage(message: Json): string[] {
  if (!isObject(message)) return []
  const { content, parts, ...rest } = message
  const blocks = content ?? parts
  const list = Array.isArray(blocks) ? blocks : [blocks ?? null]
  return list.map((block) => JSON.stringify({ ...rest, block }, withoutMarks))
}

function withoutMarks(key: string, value: unknown): unknown {
  return key === "cache_control" ? undefined : value
}

describe.each(Object.values(FAKES) as Fake[])("$endpoint.provider $endpoint.name", (fake) => {
  let server: WireServer
  beforeAll(async () => {
    server = await WireServer.start()
    server.otherwise = () => fake.reply({ text: "ok" })
  })
  afterAll(() => server.close())

  async function sent(messages: ModelMessage[]): Promise<string[]> {
    const system: ModelMessage = { role: "system", content: [{ type: "text", text: "Be brief." }] }
    await eventsOf(modelAt(server, fake), { messages: [system, ...messages], tools: [READ] })
    return blocksOf(server.requests.at(-1)?.json ?? {})
  }

  test("after an append the earlier blocks are the same", async () => {
    await fc.assert(
      fc.asyncProperty(conversation, fc.nat(), async (messages, cut) => {
        const ends = messages.flatMap((message, index) => (message.role === "assistant" ? [] : [index + 1]))
        const earlier = messages.slice(0, ends[cut % ends.length])
        const [before, after] = [await sent(earlier), await sent(messages)]
        expect(after.slice(0, before.length)).toEqual(before)
      }),
      { numRuns: 15 },
    )
  })

  test("a part added to the last message only extends it; the first after results extends the last of them", async () => {
    await fc.assert(
      fc.asyncProperty(conversation, fc.nat(20), async (messages, n) => {
        const mark = `<system>Checkpoint ${n}</system>`
        const open = messages.slice(0, -1)
        const last = open.at(-1)
        if (last === undefined) return
        const content: Part[] = [...last.content, { type: "text", text: mark }]
        const [before, after] = [await sent(open), await sent([...open.slice(0, -1), { ...last, content }])]
        const end = before.length - 1
        expect(after.slice(0, end)).toEqual(before.slice(0, end))
        if (last.content.at(-1)?.type === "tool-result") {
          expect(after.slice(end).map((block) => block.replace(`\\n\\n${mark}`, ""))).toEqual(before.slice(end))
        } else {
          expect(after[end]).toBe(before[end])
          expect(after).toHaveLength(before.length + 1)
        }
      }),
      { numRuns: 15 },
    )
  })
})

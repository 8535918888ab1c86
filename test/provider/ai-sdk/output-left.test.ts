// Anthropic refuses a request whose output might not fit: it is asked for less, and the conversation goes on.
import { expect, onTestFinished, test } from "vitest"
import type { ThinkingLevel } from "../../../src/model/thinking.ts"
import { outputLeft } from "../../../src/provider/ai-sdk/model.ts"
import { strictServer, VENDORS } from "../fakes/vendors.ts"
import { eventsOf, modelAt, user } from "../wire/server.ts"

async function stepIn(window: number, words: number, thinking?: ThinkingLevel) {
  const server = await strictServer(VENDORS.anthropic, { window })
  onTestFinished(() => server.close())
  server.otherwise = () => VENDORS.anthropic.reply({ text: "ok" })
  const request = { messages: [user("word ".repeat(words))], ...(thinking !== undefined && { thinking }) }
  const events = await eventsOf(modelAt(server, VENDORS.anthropic, { facts: { window } }), request)
  return { events, bodies: server.bodies, refused: server.refused }
}

test.each<[string, ThinkingLevel | undefined]>([
  ["without thinking", undefined],
  ["with a budget for thinking", "high"],
  ["with a small one", "minimal"],
])("what is left of the window is allowed, %s", async (_, thinking) => {
  const { events, bodies } = await stepIn(16_000, 10_000, thinking)
  expect(events.at(-1)).toMatchObject({ type: "finish", content: [{ type: "text", text: "ok" }] })
  expect(events.filter(({ type }) => type === "retry")).toEqual([])
  expect(bodies).toHaveLength(2)
  const { max_tokens: most, thinking: allowed } = bodies[1] as {
    max_tokens: number
    thinking?: { budget_tokens: number }
  }
  expect(most).toBeGreaterThan(3_000)
  expect(allowed === undefined).toBe(thinking === undefined)
  if (allowed !== undefined) expect(allowed.budget_tokens).toBeLessThan(most)
})

test("if next to nothing is left, the conversation is too long, and that is reported at once", async () => {
  const { events, bodies } = await stepIn(14_000, 10_000)
  expect(events.at(-1)).toMatchObject({ type: "failed", problem: { kind: "overflow" } })
  expect(bodies).toHaveLength(1)
})

test("a thinking budget that no longer fits is left out", async () => {
  const { events, bodies } = await stepIn(14_570, 10_000, "high")
  expect(events.at(-1)?.type).toBe("finish")
  expect(bodies.at(-1)).not.toHaveProperty("thinking")
})

test.each([
  [198_000, 2_000],
  [198_001, undefined],
  [178_667, undefined],
  [178_668, 21_332],
])("of a window of 200000 with %i of input, %s can be asked for instead of 21333", (input, left) => {
  const message = `input length and \`max_tokens\` exceed context limit: ${input} + 21333 > 200000`
  expect(outputLeft({ kind: "overflow", message })).toBe(left)
  expect(outputLeft({ kind: "invalid", message })).toBeUndefined()
})

// Gemini takes a part of JSON Schema: a tool of somebody else is offered all the same, with a schema that is wider.
import { expect, onTestFinished, test } from "vitest"
import { geminiSchema } from "../../src/provider/ai-sdk/sdk-call.ts"
import { SCHEMAS } from "./fakes/schemas.ts"
import { strictServer, VENDORS } from "./fakes/vendors.ts"
import { eventsOf, modelAt } from "./wire/server.ts"

const { listing: unclear, ...offerable } = SCHEMAS

test.each(Object.entries(offerable))("%s: it is offered, and nothing is refused", async (name, input) => {
  const server = await strictServer(VENDORS.google)
  onTestFinished(() => server.close())
  server.reply(VENDORS.google.reply({ text: "ok" }))
  const events = await eventsOf(modelAt(server, VENDORS.google), { tools: [{ name, description: name, input }] })
  expect(server.refused.map(({ because }) => because)).toEqual([])
  expect(events.at(-1)?.type).toBe("finish")
  expect(server.requests[0]?.text).toContain(`"name":"${name}"`)
})

test("a list that does not declare its items is left to be reported as a problem", () => {
  expect(geminiSchema(unclear ?? {})).toEqual(unclear)
})

test("what it cannot express is put into words, and required names are names of properties", () => {
  const schema = geminiSchema({
    type: "object",
    properties: {
      level: { description: "How much.", enum: [1, 2] },
      pair: { type: "array", prefixItems: [{ type: "string" }] },
    },
    required: ["level", "nowhere"],
  })
  expect(schema).toEqual({
    type: "object",
    properties: {
      level: { type: "number", description: "How much. One of: 1, 2." },
      pair: { type: "array", items: { type: "string" } },
    },
    required: ["level"],
  })
})

// The fakes themselves: each refuses what its vendor refuses, so that a test which passes in front of one says something.
import { expect, onTestFinished, test } from "vitest"
import type { JsonObject } from "../../../src/model/json.ts"
import type { Part } from "../../../src/model/record/record.ts"
import type { ModelMessage } from "../../../src/provider/port/port.ts"
import { eventsOf, modelAt, READ, user } from "../wire/server.ts"
import { brokenPng, png } from "./images.ts"
import { strictServer, VENDORS, type Vendor } from "./vendors.ts"

const call: Part = { type: "tool-call", call: "c1", name: "Read", input: { path: "a" } }
const result: Part = { type: "tool-result", call: "c1", name: "Read", output: "one" }
const asked: ModelMessage[] = [user("hi"), { role: "assistant", content: [call] }]
const all = Object.entries(VENDORS) as [string, Vendor][]

async function refusals(vendor: Vendor, messages: ModelMessage[], window?: number) {
  const server = await strictServer(vendor, window === undefined ? {} : { window })
  onTestFinished(() => server.close())
  server.reply(vendor.reply({ text: "ok" }))
  const events = await eventsOf(modelAt(server, vendor), { messages, tools: [READ] })
  return { because: server.refused.map(({ because }) => because), last: events.at(-1) }
}

test.each(all)("%s takes a call with its result", async (_, vendor) => {
  const { because, last } = await refusals(vendor, [...asked, { role: "tool", content: [result] }])
  expect(because).toEqual([])
  expect(last?.type).toBe("finish")
})

test.each(all)("%s refuses a call without a result", async (_, vendor) => {
  const { because, last } = await refusals(vendor, [...asked, user("and?")])
  expect(because.join()).toMatch(/tool_result|tool_call_id|function call|function response/)
  expect(last).toMatchObject({ type: "failed", problem: { kind: "invalid", status: 400 } })
})

test.each(all)("%s refuses a result without a call", async (_, vendor) => {
  const { because } = await refusals(vendor, [user("hi"), { role: "tool", content: [result] }, user("x")])
  expect(because).toHaveLength(1)
})

test.each(all)("%s says in its own words that a request is too long, and we understand it", async (_, vendor) => {
  const { last } = await refusals(vendor, [user("x".repeat(8_000))], 1_000)
  expect(last).toMatchObject({ type: "failed", problem: { kind: "overflow" } })
})

test.each(all)("%s takes a picture", async (_, vendor) => {
  const picture: Part = { type: "image", mediaType: "image/png", data: png() }
  const { because } = await refusals(vendor, [{ role: "user", content: [...user("look").content, picture] }])
  expect(because).toEqual([])
})

test.each(all)("%s refuses a tool whose name or schema it cannot take", async (_, vendor) => {
  const server = await strictServer(vendor)
  onTestFinished(() => server.close())
  server.reply(vendor.reply({ text: "ok" }))
  await eventsOf(modelAt(server, vendor), { tools: [READ] })
  const request = await server.request(0)
  const judge = (text: string) => () =>
    vendor.rules({ ...request, json: JSON.parse(text) as JsonObject }, { window: 99_999 })
  expect(judge(request.text)).not.toThrow()
  expect(judge(request.text.replace('"Read"', '"my tool"'))).toThrow(/name/)
  expect(judge(request.text.replace('{"path":{"type":"string"}}', '{"a path":{"type":"array"}}'))).toThrow(
    /a path|keys|required/,
  )
})

test("a model that binds its thinking refuses it once anything before it has changed", async () => {
  const vendor = VENDORS.bound
  const server = await strictServer(vendor)
  onTestFinished(() => server.close())
  server.reply(
    vendor.reply({ reasoning: "hm", text: "one" }),
    vendor.reply({ text: "two" }),
    vendor.reply({ text: "3" }),
  )
  const fresh = () => modelAt(server, vendor)
  const first = (await eventsOf(fresh(), { messages: [user("a")] })).at(-1)
  const answer: ModelMessage = { role: "assistant", content: first?.type === "finish" ? first.content : [] }
  await eventsOf(fresh(), { messages: [user("a"), answer, user("b")] })
  expect(server.refused).toEqual([])
  await eventsOf(fresh(), { messages: [user("A"), answer, user("b")] })
  await eventsOf(fresh(), { messages: [user("a"), answer, user("b")], tools: [READ] })
  expect(server.refused.map(({ because }) => because)).toEqual([
    expect.stringContaining("bound to a different conversation"),
    expect.stringContaining("bound to a different conversation"),
  ])
})

test("a broken picture is not mistaken for one", () => {
  expect(Buffer.from(brokenPng(), "base64").subarray(1, 4).toString()).toBe("PNG")
})

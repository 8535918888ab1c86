// What a provider is known to refuse is not sent; what it refuses all the same and nobody misses is left out, and told.
import { describe, expect, onTestFinished, test } from "vitest"
import type { Part } from "../../../src/model/record/record.ts"
import type { ModelEvent, ModelMessage, ToolSpec } from "../../../src/provider/port/port.ts"
import { brokenPng, png } from "../fakes/images.ts"
import { Refusal } from "../fakes/refusal.ts"
import { strictServer, VENDORS, type Vendor } from "../fakes/vendors.ts"
import { eventsOf, modelAt, READ, user, type WireReply } from "../wire/server.ts"

const all = Object.entries(VENDORS) as [string, Vendor][]
const notices = (events: ModelEvent[]) => events.flatMap((event) => (event.type === "notice" ? [event.text] : []))

async function serverOf(vendor: Vendor, ...before: WireReply[]) {
  const server = await strictServer(vendor)
  onTestFinished(() => server.close())
  server.reply(...before)
  server.otherwise = () => vendor.reply({ text: "ok" })
  return server
}

/** A picture in a prompt and one in a tool's result. */
function showing(data: string, mediaType: string): ModelMessage[] {
  const picture: Part = { type: "image", mediaType, data }
  return [
    { role: "user", content: [{ type: "text", text: "look" }, picture] },
    { role: "assistant", content: [{ type: "tool-call", call: "c1", name: "Read", input: { path: "a" } }] },
    { role: "tool", content: [{ type: "tool-result", call: "c1", name: "Read", output: "a", media: [picture] }] },
  ]
}

const WHOLE = Buffer.from(png(64, 64), "base64")
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>').toString("base64")
const PICTURES: [what: string, data: string, mediaType: string, words: RegExp][] = [
  ["a PNG that breaks off", brokenPng(), "image/png", /not a whole PNG/],
  ["a PNG without its last chunk", WHOLE.subarray(0, -12).toString("base64"), "image/png", /not a whole PNG/],
  ["text that is called a PNG", Buffer.from("hello").toString("base64"), "image/png", /not a PNG, JPEG, GIF or WebP/],
  ["nothing", "", "image/png", /it is empty/],
  ["a picture that is too wide", png(9_000, 1), "image/png", /9000 × 1 pixels/],
  ["a BMP", Buffer.from("BM123456789012345").toString("base64"), "image/bmp", /not a PNG/],
  ["a JPEG that breaks off", Buffer.from("ffd8ffe000104a464946", "hex").toString("base64"), "image/jpeg", /whole JPEG/],
]

describe.each(all)("%s", (_, vendor) => {
  test.each(PICTURES)("is not sent %s: the model and the person are told", async (__, data, type, words) => {
    const server = await serverOf(vendor)
    const events = await eventsOf(modelAt(server, vendor), { messages: showing(data, type), tools: [READ] })
    expect(server.refused).toEqual([])
    expect(events.at(-1)?.type).toBe("finish")
    expect(server.requests[0]?.text).toMatch(words)
    expect(notices(events).join()).toMatch(words)
  })

  test("gets an SVG as the text that it is, and a picture under its real type", async () => {
    const server = await serverOf(vendor)
    await eventsOf(modelAt(server, vendor), { messages: showing(SVG, "image/svg+xml"), tools: [READ] })
    await eventsOf(modelAt(server, vendor), { messages: showing(png(), "image/jpeg"), tools: [READ] })
    expect(server.refused).toEqual([])
    expect(server.requests[0]?.text).toContain("circle")
    expect(server.requests[1]?.text).toContain("image/png")
    expect(server.requests[1]?.text).not.toContain("image/jpeg")
  })

  test("gets no tool with a schema that it is known to refuse; the others work, and one notice says so", async () => {
    const bad: ToolSpec = { name: "Odd", description: "", input: { oneOf: [{ type: "object" }] } }
    const server = await serverOf(vendor)
    const model = modelAt(server, vendor)
    const events = [
      ...(await eventsOf(model, { tools: [bad, READ] })),
      ...(await eventsOf(model, { tools: [bad, READ] })),
    ]
    expect(server.refused).toEqual([])
    expect(server.requests[1]?.text).toContain('"Read"')
    expect(server.requests[1]?.text).not.toContain('"Odd"')
    expect(notices(events)).toEqual([expect.stringContaining("The tool Odd is left out")])
  })
})

test.each([
  ["anthropic", "tools.0.custom.input_schema: JSON schema is invalid"],
  ["openai", "Invalid schema for function 'Odd': nobody knows why."],
  ["responses", "Invalid schema for function 'Odd': nobody knows why."],
  ["google", "* GenerateContentRequest.tools[0].function_declarations[0].parameters: unknown"],
] as const)("%s: a tool that it refuses is left out at once, and stays out", async (name, words) => {
  const vendor: Vendor = VENDORS[name]
  const odd: ToolSpec = { ...READ, name: "Odd" }
  const server = await serverOf(vendor, vendor.refusal(new Refusal(words)))
  const model = modelAt(server, vendor)
  const events = await eventsOf(model, { tools: [odd, READ] })
  expect(events.at(-1)?.type).toBe("finish")
  expect(notices(events)).toEqual([expect.stringMatching(/The tool Odd is left out, the others work: .*answered 400/)])
  await eventsOf(model, { tools: [odd, READ] })
  expect(server.requests).toHaveLength(3)
  expect(server.requests[2]?.text).not.toContain('"Odd"')
})

test("thinking that no longer fits what comes before it is left out, with a notice; later thinking stays", async () => {
  const vendor = VENDORS.bound
  const server = await serverOf(vendor, vendor.reply({ reasoning: "old thought", text: "one" }))
  const answer = async (model: ReturnType<typeof modelAt>, messages: ModelMessage[]) => {
    const events = await eventsOf(model, { messages })
    const end = events.at(-1)
    if (end?.type !== "finish") throw new Error(JSON.stringify(end))
    return { events, message: { role: "assistant" as const, content: end.content } }
  }
  const model = modelAt(server, vendor)
  const first = await answer(model, [user("a")])
  server.reply(vendor.reply({ reasoning: "new thought", text: "two" }))
  const second = await answer(model, [user("changed"), first.message, user("b")])
  expect(notices(second.events).join()).toContain("Continuing without that thinking")
  await answer(model, [user("changed"), first.message, user("b"), second.message, user("c")])
  expect(server.refused).toHaveLength(1)
  const last = server.requests.at(-1)?.text ?? ""
  expect(last).toContain("new thought")
  expect(last).not.toContain("old thought")
})

test("an account that may not see summaries of thinking continues without them", async () => {
  const vendor = VENDORS.responses
  const words = "Your organization must be verified to generate reasoning summaries."
  const server = await serverOf(vendor, vendor.refusal(new Refusal(words)))
  const trace: unknown[] = []
  const events = await eventsOf(modelAt(server, vendor, { trace: (what) => trace.push(what) }))
  expect(events.at(-1)?.type).toBe("finish")
  expect(trace).toContainEqual({ type: "left-out", text: notices(events)[0] })
  expect(server.bodies.map(({ reasoning }) => reasoning)).toEqual([{ summary: "auto" }, undefined])
})

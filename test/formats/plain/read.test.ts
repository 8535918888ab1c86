import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { readPlain } from "../../../src/formats/plain/read.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const fixture = (name: string) => readFileSync(join(import.meta.dirname, "fixtures", name))

function drafts(content: Uint8Array) {
  const read = readPlain(content)
  if (!read.ok) throw new Error(read.problem)
  if (!("drafts" in read)) throw new Error("it is an export")
  return read.drafts
}

function unknown(value: unknown): string[] {
  const read = readPlain(bytes(JSON.stringify(value)))
  if (!read.ok || !("unknown" in read)) throw new Error("nothing was read")
  return read.unknown.map(({ at, part }) => `${at}: ${part}`)
}

function problem(text: string | Uint8Array): string | undefined {
  const read = readPlain(typeof text === "string" ? bytes(text) : text)
  return read.ok ? undefined : read.problem
}

/** "role origin: parts" of each draft. */
function outline(content: Uint8Array): string[] {
  return drafts(content).map((draft) =>
    draft.type === "state"
      ? `state ${draft.key}: ${JSON.stringify(draft.value)}`
      : `${draft.role} ${draft.origin}: ${draft.content.map((part) => part.type).join(" ")}`,
  )
}

describe("messages of an OpenAI client", () => {
  test("keep roles, tools, images and reasoning", () => {
    expect(outline(fixture("openai.json"))).toEqual([
      'state system: "You are a careful engineer."',
      "user prompt: text image unknown",
      "assistant agent: reasoning tool-call tool-call tool-call",
      "tool tool: tool-result",
      "tool tool: tool-result",
      "tool tool: tool-result",
      "assistant agent: text",
      "system injection: text",
      "user prompt: text",
      "assistant agent: text",
    ])
  })

  test("arguments are values; what a model got wrong stays text", () => {
    const calls = drafts(fixture("openai.json"))[2]
    expect(calls).toMatchObject({
      content: [
        { text: "Read the file first." },
        { call: "call_1", name: "read", input: { path: "config.yaml" } },
        { call: "call_2", name: "ls", input: {} },
        { call: "call_3", name: "read", input: '{"path": broken' },
      ],
    })
  })

  test("results name their call, images keep their bytes, links are kept as they are", () => {
    const all = drafts(fixture("openai.json"))
    expect(all[4]).toMatchObject({ content: [{ call: "call_2", output: "a\nb" }] })
    expect(all[1]).toMatchObject({
      content: [
        {},
        { mediaType: "image/png", data: "iVBORw0KGgo=" },
        { raw: { type: "image_url", image_url: { url: "https://example.com/cat.png" } } },
      ],
    })
    expect(all[8]).toMatchObject({ meta: { name: "ada" } })
    expect(all[9]).toMatchObject({ content: [{ type: "text", text: "I would rather not." }] })
  })

  test("the old function calls find their results by name", () => {
    const old = [
      { role: "user", content: "hi" },
      { role: "assistant", content: null, function_call: { name: "now", arguments: "{}" } },
      { role: "function", name: "now", content: "noon" },
    ]
    const [, call, result] = drafts(bytes(JSON.stringify(old)))
    expect(call).toMatchObject({ content: [{ type: "tool-call", call: "call-2", name: "now", input: {} }] })
    expect(result).toMatchObject({ role: "tool", content: [{ call: "call-2", name: "now", output: "noon" }] })
  })
})

describe("messages of an Anthropic client", () => {
  test("keep thinking, tool use and results; only what a person typed is a prompt", () => {
    expect(outline(fixture("anthropic.json"))).toEqual([
      'state system: "You are a careful engineer."',
      "user prompt: text",
      "assistant agent: reasoning unknown text tool-call tool-call",
      "tool tool: tool-result tool-result",
      "assistant agent: text",
      "user prompt: file text",
      "assistant agent: tool-call",
      "tool tool: tool-result",
      "user prompt: text",
    ])
  })

  test("signatures, errors and images of results are kept", () => {
    const all = drafts(fixture("anthropic.json"))
    expect(all[2]).toHaveProperty("content.0", { type: "reasoning", text: "Run them.", meta: { signature: "c2ln" } })
    expect(all[3]).toMatchObject({
      content: [
        { call: "toolu_1", output: "1 failed", error: true },
        { call: "toolu_2", output: "done", media: [{ type: "image", mediaType: "image/png" }] },
      ],
    })
    expect(all[7]).toMatchObject({ content: [{ call: "toolu_3", output: "" }] })
  })
})

describe("how messages may be written", () => {
  const hi = { role: "user", content: "hi" }
  const same: [string, string][] = [
    ["a list", JSON.stringify([hi, hi])],
    ["an object with messages", JSON.stringify({ messages: [hi, hi] }, undefined, 2)],
    ["one per line", `${JSON.stringify(hi)}\n${JSON.stringify(hi)}\n`],
    ["lines that end in CRLF, with blank ones between", `\r\n${JSON.stringify(hi)}\r\n\r\n${JSON.stringify(hi)}\r\n`],
    ["a byte order mark first", `\ufeff${JSON.stringify([hi, hi])}`],
  ]
  for (const [name, text] of same) {
    test(name, () => expect(outline(bytes(text))).toEqual(["user prompt: text", "user prompt: text"]))
  }

  test("one message alone", () => expect(outline(bytes(JSON.stringify(hi)))).toEqual(["user prompt: text"]))

  test("a system message that comes later stays where it is", () => {
    const late = [hi, { role: "system", content: "late" }]
    expect(outline(bytes(JSON.stringify(late)))).toEqual(["user prompt: text", "system injection: text"])
  })
})

describe("what cannot be read says where and why", () => {
  const hi = JSON.stringify({ role: "user", content: "hi" })
  const cases: [string, string | Uint8Array, RegExp][] = [
    ["nothing", "", /^it is empty$/],
    ["blanks", " \n ", /^it is empty$/],
    ["an empty list", "[]", /^it contains no messages$/],
    ["a binary file", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]), /^it is not text$/],
    ["invalid UTF-8", new Uint8Array([0x5b, 0xff, 0xfe, 0x5d]), /^it is not text$/],
    ["prose", "Dear diary", /^it is not JSON/],
    ["a number", "7", /^it is not a list of messages$/],
    ["a torn line", `${hi}\n{"role":"us`, /^line 2 is not JSON/],
    ["a list that ends too soon", `[${hi},`, /^it is not JSON/],
    ["a message that is none", `[${hi},7]`, /^message 2: a message is an object/],
    ["a message without a role", `${hi}\n\n{"text":"hi"}`, /^line 3: a message has a role$/],
    ["an unknown role", '[{"role":"alien","content":"hi"}]', /^message 1: the role "alien" is not one of/],
    ["content that is a number", '[{"role":"user","content":7}]', /^message 1: the content is a text/],
    [
      "a tool call without a name",
      '[{"role":"assistant","tool_calls":[{}]}]',
      /^message 1: a tool call has a function/,
    ],
    ["several conversations", `{"messages":[${hi}]}\n{"messages":[${hi}]}`, /^line 1 is a whole conversation/],
    [
      "a session of retcon",
      '{"id":"x","type":"session","reads":1,"writes":1}\n{}',
      /^it is a session of retcon already/,
    ],
  ]
  for (const [name, content, expected] of cases) test(name, () => expect(problem(content)).toMatch(expected))

  test("any JSON is read or refused; nothing is thrown", () => {
    const role = fc.constantFrom("user", "assistant", "system", "tool", "function", "developer")
    const message = fc.record({ role, content: fc.jsonValue(), tool_calls: fc.jsonValue(), name: fc.jsonValue() })
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(message)), (value) => {
        readPlain(bytes(JSON.stringify(value)))
      }),
      { numRuns: 300 },
    )
  })
})

describe("content that is not understood", () => {
  test("is kept, and named by where it is", () => {
    const audio = { type: "input_audio", input_audio: { data: "AAAA" } }
    const link = { type: "image_url", image_url: { url: "https://example.org/cat.png" } }
    const messages = [
      { role: "user", content: [{ type: "text", text: "hear" }, audio] },
      { role: "assistant", content: [42, null, { text: "no type" }] },
      { role: "user", content: link },
    ]
    expect(unknown(messages)).toEqual([
      "message 1: input_audio",
      "message 2: a number",
      "message 2: null",
      "message 2: a part without a type",
      "message 3: image_url",
    ])
  })

  test("also in a tool's result, and beside the messages", () => {
    const answer = { type: "tool_result", tool_use_id: "c", content: 7 }
    expect(unknown({ system: [{ type: "odd" }], messages: [{ role: "user", content: [answer] }] })).toEqual([
      "system: odd",
      "message 1: a number",
    ])
  })

  test.each([
    [[{ role: "user", content: 42 }], "message 1: the content is a text or a list of parts"],
    [
      [
        { role: "user", content: "a" },
        { role: "wizard", content: "b" },
      ],
      'message 2: the role "wizard" is not one of',
    ],
    [{ system: 42, messages: [{ role: "user", content: "a" }] }, '"system" is a text or a list of parts'],
  ])("%j is refused, with where", (value, words) => {
    expect(problem(JSON.stringify(value))).toContain(words)
  })

  test("a system message that is not only text stays a message, whole", () => {
    const content = [
      { type: "text", text: "Look:" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    ]
    expect(
      outline(
        bytes(
          JSON.stringify([
            { role: "system", content },
            { role: "user", content: "hi" },
          ]),
        ),
      ),
    ).toEqual(["system injection: text image", "user prompt: text"])
  })
})

// Who said what in a message of Gemini CLI, and its parts as ours.
import { expect, test } from "vitest"
import {
  answeredBy,
  authorOf,
  displayOf,
  isSessionContext,
  partsOf,
  resultsOf,
} from "../../../src/formats/gemini-cli/message.ts"
import { jsonText } from "../../../src/formats/shared/gemini-parts.ts"
import type { Json, JsonObject } from "../../../src/model/json.ts"

const user = (content: Json, more: JsonObject = {}): JsonObject => ({ type: "user", content, ...more })
const gemini = (content: Json, more: JsonObject = {}): JsonObject => ({ type: "gemini", content, ...more })
const response = (more: JsonObject) => ({ functionResponse: { id: "c", name: "read", ...more } })
const inline = (mimeType: string) => ({ inlineData: { mimeType, data: "AAAA" } })

test.each<[what: string, message: JsonObject, said: string | undefined]>([
  ["an answer", gemini("hi"), "assistant agent"],
  ["a prompt", user("hi"), "user prompt"],
  ["a prompt of parts", user([{ text: "hi" }]), "user prompt"],
  ["a result", user([response({})]), "tool tool"],
  ["news", { type: "info", content: "x" }, undefined],
  ["the context of a session", user("\n<session_context>x"), "user injection"],
  ["that of an older version", user("This is the Gemini CLI. We are setting up the context for"), "user injection"],
  ["a hook", user("<hook_context>x"), "user hook"],
  ["a command", user("I ran the following shell command:\n```sh\nls"), "user shell"],
  ["words about one", user("Why: I ran the following shell command:\n```sh\nls"), "user prompt"],
  ["a retry", user("Please continue."), "user retry"],
  ["more than a retry", user("Please continue. Then stop."), "user prompt"],
])("%s", (_, message, said) => {
  const found = authorOf(message)
  expect(found && `${found.role} ${found.origin}`).toBe(said)
})

test("only what precedes a conversation is its context", () => {
  expect(isSessionContext(user("<session_context>x"))).toBe(true)
  expect(isSessionContext(user("This is the Gemini CLI. We are setting up the context"))).toBe(true)
  expect(isSessionContext(user("<hook_context>x"))).toBe(false)
  expect(isSessionContext(gemini("<session_context>x"))).toBe(false)
})

test("what the person typed is shown where the model got something else", () => {
  expect(displayOf(user("long", { displayContent: "short" }))).toBe("short")
  expect(displayOf(user("long", { displayContent: [{ text: "a" }, { text: "b" }] }))).toContain("a")
  expect(displayOf(user("long", { displayContent: "" }))).toBeUndefined()
  expect(displayOf(user("long"))).toBeUndefined()
  expect(displayOf(gemini("long", { displayContent: "short" }))).toBeUndefined()
})

test.each<[part: Json, ours: unknown]>([
  ["bare", { type: "text", text: "bare" }],
  [{ text: "a" }, { type: "text", text: "a" }],
  [
    { text: "a", thought: true },
    { type: "reasoning", text: "a" },
  ],
  [inline("image/png"), { type: "image", mediaType: "image/png", data: "AAAA" }],
  [inline("text/plain"), { type: "file", mediaType: "text/plain", data: "AAAA" }],
  [{ inlineData: { mimeType: "image/png" } }, { type: "unknown", raw: { inlineData: { mimeType: "image/png" } } }],
  [
    { functionCall: { id: "c", name: "read", args: { a: 1 } } },
    { type: "tool-call", call: "c", name: "read", input: { a: 1 } },
  ],
  [{ functionCall: { name: "read" } }, { type: "tool-call", call: "read", name: "read", input: {} }],
  [response({ response: { output: "out" } }), { type: "tool-result", call: "c", name: "read", output: "out" }],
  [
    response({ response: { error: "no" } }),
    { type: "tool-result", call: "c", name: "read", output: "no", error: true },
  ],
  [
    response({ response: { output: "out", error: "no" } }),
    { type: "tool-result", call: "c", name: "read", output: "out" },
  ],
  [response({ response: { other: 1 } }), { type: "tool-result", call: "c", name: "read", output: '{"other":1}' }],
  [
    response({ response: { output: null } }),
    { type: "tool-result", call: "c", name: "read", output: '{"output":null}' },
  ],
  [response({}), { type: "tool-result", call: "c", name: "read", output: "" }],
  [
    response({ response: { output: "x" }, parts: [inline("image/png")] }),
    {
      type: "tool-result",
      call: "c",
      name: "read",
      output: "x",
      media: [{ type: "image", mediaType: "image/png", data: "AAAA" }],
    },
  ],
  [{ other: 1 }, { type: "unknown", raw: { other: 1 } }],
  [7, { type: "unknown", raw: { value: 7 } }],
])("the part %j", (part, ours) => {
  expect(partsOf(user([part]))).toEqual([ours])
})

test("an answer has its thoughts, its text and its calls, unless its parts say them already", () => {
  const thoughts = [
    { subject: "Plan", description: "look" },
    { description: "again" },
    { subject: "", description: "x" },
  ]
  const toolCalls = [{ id: "c", name: "read", args: {} }]
  const call = { type: "tool-call", call: "c", name: "read", input: {} }
  expect(partsOf(gemini("hi", { thoughts, toolCalls }))).toEqual([
    { type: "reasoning", text: "**Plan** look" },
    { type: "reasoning", text: "again" },
    { type: "reasoning", text: "x" },
    { type: "text", text: "hi" },
    call,
  ])
  expect(partsOf(gemini([{ functionCall: { id: "c", name: "read" } }], { thoughts, toolCalls }))).toEqual([call])
  expect(partsOf(gemini([{ text: "t", thought: true }], { toolCalls }))).toEqual([{ type: "reasoning", text: "t" }])
  expect(partsOf(user("hi", { toolCalls }))).toEqual([{ type: "text", text: "hi" }])
  expect([gemini(""), gemini(null), { type: "gemini" }].map((each) => partsOf(each))).toEqual([[], [], []])
})

test("results are in a separate message, or beside the calls of an answer", () => {
  const results = (...toolCalls: JsonObject[]) => resultsOf(gemini("", { toolCalls }))
  const call = { id: "c", name: "read" }
  const result = { type: "tool-result", call: "c", name: "read", output: "out" }
  expect(resultsOf(user([response({ response: { output: "out" } })]))).toEqual([result])
  expect(results({ ...call, result: "out" })).toEqual([result])
  expect(results({ ...call, result: [response({ response: { output: "out" } })] })).toEqual([result])
  expect(results({ ...call, result: [{ text: "out" }] })).toEqual([result])
  expect(results({ id: "c", result: [{ text: "out" }] })).toEqual([{ type: "tool-result", call: "c", output: "out" }])
  expect(results({ result: [{ text: "out" }] })).toEqual([{ type: "text", text: "out" }])
  expect(results(call, { ...call, result: "" }, { ...call, result: null })).toEqual([])
  expect(answeredBy(user([response({}), { text: "x" }]))).toEqual(["c"])
})

test("images that follow a result belong to it", () => {
  const found = resultsOf(
    user([inline("image/png"), response({}), inline("image/png"), inline("text/plain"), { text: "x" }]),
  )
  expect(found.map(({ type }) => type)).toEqual(["image", "tool-result", "text"])
  expect((found[1] as { media?: unknown[] }).media).toHaveLength(2)
})

test("a value that is nested too deeply to print is omitted", () => {
  let deep: Json = []
  for (let n = 0; n < 100_000; n++) deep = [deep]
  expect([jsonText(deep), jsonText({ a: 1 })]).toEqual(["", '{"a":1}'])
})

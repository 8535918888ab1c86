// Who said what in a message of opencode, and its parts as ours.
import { expect, test } from "vitest"
import { answerParts, authorOf, displayOf, resultParts, userParts } from "../../../src/formats/opencode/message.ts"
import type { JsonObject } from "../../../src/model/json.ts"

const RAN = "The following tool was executed by the user"
const text = (words: string, more: JsonObject = {}): JsonObject => ({ type: "text", text: words, ...more })
const added = (words: string) => text(words, { synthetic: true })
const file = (mime: string, more: JsonObject = {}): JsonObject => ({
  type: "file",
  mime,
  url: `data:${mime};base64,AAAA`,
  ...more,
})
const tool = (state: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "tool",
  callID: "c",
  tool: "read",
  state,
  ...more,
})

test.each<[what: string, parts: JsonObject[], origin: string]>([
  ["a prompt", [text("hi")], "prompt"],
  ["a prompt with what opencode adds", [text("hi"), added("x")], "prompt"],
  ["a file alone", [file("image/png"), added("x")], "prompt"],
  ["a slash command", [text("hi"), { type: "subtask" }], "command"],
  ["a command of the person", [added(RAN)], "shell"],
  ["the same words, typed", [text(RAN)], "prompt"],
  ["only what opencode adds", [added("x")], "injection"],
  ["what is ignored", [text("x", { ignored: true })], "injection"],
  ["nothing", [], "injection"],
])("%s", (_, parts, origin) => {
  expect(authorOf(parts, false).origin).toBe(origin)
  expect(authorOf(parts, true).origin).toBe(origin === "prompt" ? "task" : origin)
})

test("what the person typed is shown where opencode added something", () => {
  expect(displayOf([text("a"), added("x"), text("b"), file("image/png")])).toBe("a\nb")
  expect(displayOf([text("a"), text("x", { ignored: true })])).toBe("a")
  expect(displayOf([text("a"), file("image/png", { synthetic: true })])).toBeUndefined()
})

test("the model gets texts and media; text files and folders are in the texts", () => {
  const parts = [
    text("a"),
    text(""),
    text("x", { ignored: true }),
    file("image/png"),
    file("application/pdf", { filename: "a.pdf" }),
    file("application/zip"),
    file("text/plain"),
    file("application/x-directory"),
    { type: "subtask" },
    { type: "new" },
    { type: "file", mime: "image/png", url: "file:///a.png" },
  ]
  expect(userParts(parts)).toEqual([
    { type: "text", text: "a" },
    { type: "image", mediaType: "image/png", data: "AAAA" },
    { type: "file", mediaType: "application/pdf", data: "AAAA", name: "a.pdf" },
    { type: "file", mediaType: "application/zip", data: "AAAA" },
    { type: "text", text: RAN },
    { type: "unknown", raw: { type: "new" } },
    { type: "unknown", raw: { type: "file", mime: "image/png", url: "file:///a.png" } },
  ])
})

test("a step of an answer is its thoughts, texts and calls", () => {
  const parts = [
    { type: "reasoning", text: "r" },
    text("a"),
    tool({ input: { a: 1 } }),
    { type: "tool", id: "d" },
    { type: "reasoning" },
    { type: "text" },
    { type: "step-start" },
  ]
  expect(answerParts(parts)).toEqual([
    { type: "reasoning", text: "r" },
    { type: "text", text: "a" },
    { type: "tool-call", call: "c", name: "read", input: { a: 1 } },
    { type: "tool-call", call: "d", name: "", input: {} },
  ])
})

test.each<[what: string, state: JsonObject, result: object]>([
  ["one that ended", { status: "completed", output: "out" }, { output: "out" }],
  ["one that failed", { status: "error", error: "no" }, { output: "no", error: true }],
  ["one that never ended", { status: "running" }, { output: "[Tool execution was interrupted]", error: true }],
  [
    "one that opencode has cleared",
    { status: "completed", output: "out", time: { compacted: 1 } },
    { output: "[Old tool result content cleared]" },
  ],
  ["one that was not", { status: "completed", time: {} }, { output: "" }],
  [
    "one with an image",
    { status: "completed", output: "out", attachments: [file("image/png"), 7] },
    { output: "out", media: [{ type: "image", mediaType: "image/png", data: "AAAA" }] },
  ],
])("the result of a call: %s", (_, state, result) => {
  expect(resultParts([tool(state)])).toEqual([{ type: "tool-result", call: "c", name: "read", ...result }])
})

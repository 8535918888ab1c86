// Who said what in a line of Neovate Code, and its parts as ours.
import { expect, test } from "vitest"
import { authorOf, displayOf, isCompaction, partsOf } from "../../../src/formats/neovate/message.ts"
import type { Json, JsonObject } from "../../../src/model/json.ts"

const line = (more: JsonObject): JsonObject => ({ type: "message", role: "user", ...more })
const text = (words: string, hidden?: boolean): JsonObject => ({ type: "text", text: words, ...(hidden && { hidden }) })
const COMPACTED = "Chat history compacted successfully."
const IMAGE = { type: "image", data: "data:image/png;base64,AAAA" }

test.each<[what: string, line: JsonObject, said: string | undefined]>([
  ["an answer", line({ role: "assistant", content: "hi" }), "assistant agent"],
  ["a result", line({ role: "tool", content: [] }), "tool tool"],
  ["results of an older version", line({ content: [{ type: "tool_result" }, { type: "tool_result" }] }), "tool tool"],
  ["a result among other parts", line({ content: [{ type: "tool_result" }, text("x")] }), "user prompt"],
  ["a prompt", line({ content: "hi" }), "user prompt"],
  ["a prompt of parts", line({ content: [text("hi")] }), "user prompt"],
  ["nothing", line({ content: [] }), "user prompt"],
  ["a summary", line({ content: "s", uiContent: COMPACTED }), "user summary"],
  ["a stop", line({ content: "[Request interrupted by user]" }), "user interrupt"],
  ["words about a stop", line({ content: "[Request interrupted by user] why?" }), "user prompt"],
  ["a command of the person", line({ content: "<bash-input>ls</bash-input>" }), "user shell"],
  ["its output", line({ content: "<bash-stdout>a</bash-stdout>" }), "user shell"],
  ["words about a command", line({ content: "see <bash-input>" }), "user prompt"],
  ["a task", line({ content: "do", metadata: { agentId: "a" } }), "user task"],
  ["what is hidden", line({ content: "x", hidden: true }), "user injection"],
  ["parts that are all hidden", line({ content: [text("x", true)] }), "user injection"],
  ["parts of which one is hidden", line({ content: [text("x", true), text("y")] }), "user prompt"],
  ["a hidden text with an image", line({ content: [text("x", true), IMAGE] }), "user prompt"],
  ["a slash command", line({ content: "expanded", uiContent: "/fix it" }), "user command turn"],
  ["what is shown otherwise", line({ content: "expanded", uiContent: "shown" }), "user prompt"],
  ["another role", line({ role: "system", content: "x" }), undefined],
  ["another line", { type: "config", role: "user" }, undefined],
])("%s", (_, each, said) => {
  const found = authorOf(each)
  expect(found && `${found.role} ${found.origin}${found.turn === true ? " turn" : ""}`).toBe(said)
})

test("a compaction is a user's line without a parent that says so", () => {
  const whole = { role: "user", parentUuid: null, uiContent: COMPACTED }
  expect(isCompaction(whole)).toBe(true)
  for (const other of [{ role: "assistant" }, { parentUuid: "x" }, { uiContent: "else" }]) {
    expect(isCompaction({ ...whole, ...other })).toBe(false)
  }
})

test("what the person typed is shown where the model got something else", () => {
  expect(displayOf(line({ content: "x", uiContent: "shown" }))).toBe("shown")
  expect(displayOf(line({ content: "x", uiContent: "" }))).toBeUndefined()
  expect(displayOf(line({ content: [text("hidden", true), text("a"), text("b")] }))).toBe("ab")
  expect(displayOf(line({ content: [text("hidden", true), IMAGE] }))).toBe("[image]")
  expect(displayOf(line({ content: [text("hidden", true), IMAGE, text("a")] }))).toBe("a")
  expect(displayOf(line({ content: [text("a")] }))).toBeUndefined()
})

test.each<[part: Json, ours: unknown]>([
  [text("a"), { type: "text", text: "a" }],
  [
    { type: "reasoning", text: "a" },
    { type: "reasoning", text: "a" },
  ],
  [IMAGE, { type: "image", mediaType: "image/png", data: "AAAA" }],
  [
    { type: "image", data: "BBBB", mimeType: "image/gif" },
    { type: "image", mediaType: "image/gif", data: "BBBB" },
  ],
  [
    { type: "file", data: "data:text/plain;base64,AAAA", filename: "a.txt" },
    { type: "file", mediaType: "text/plain", data: "AAAA", name: "a.txt" },
  ],
  [
    { type: "file", data: "AAAA", mimeType: "text/plain" },
    { type: "file", mediaType: "text/plain", data: "AAAA" },
  ],
  [
    { type: "image", data: "AAAA" },
    { type: "unknown", raw: { type: "image", data: "AAAA" } },
  ],
  [{ type: "image" }, { type: "unknown", raw: { type: "image" } }],
  [
    { type: "tool_use", id: "c", name: "read", input: { a: 1 } },
    { type: "tool-call", call: "c", name: "read", input: { a: 1 } },
  ],
  [
    { type: "tool_use", id: "c", name: "read" },
    { type: "tool-call", call: "c", name: "read", input: {} },
  ],
  [
    { type: "tool_use", id: "c" },
    { type: "unknown", raw: { type: "tool_use", id: "c" } },
  ],
  [
    { type: "tool-result", toolCallId: "c", toolName: "read", result: { llmContent: "out" } },
    { type: "tool-result", call: "c", name: "read", output: "out" },
  ],
  [
    { type: "tool_result", id: "c", name: "read", result: { llmContent: [text("a"), IMAGE], isError: true } },
    {
      type: "tool-result",
      call: "c",
      name: "read",
      output: "a",
      error: true,
      media: [{ type: "image", mediaType: "image/png", data: "AAAA" }],
    },
  ],
  [{ type: "tool_result" }, { type: "tool-result", call: "", output: "" }],
  [{ type: "new" }, { type: "unknown", raw: { type: "new" } }],
  ["bare", { type: "unknown", raw: { value: "bare" } }],
])("the part %j", (part, ours) => {
  expect(partsOf(line({ content: [part] }))).toEqual([ours])
})

test("a content that is a text is one part, and an empty one is none", () => {
  expect(partsOf(line({ content: "a" }))).toEqual([{ type: "text", text: "a" }])
  expect(partsOf(line({ content: "" }))).toEqual([])
  expect(partsOf(line({}))).toEqual([])
})

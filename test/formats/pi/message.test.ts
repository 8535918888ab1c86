// Who said what in a line of pi, and its parts as ours.
import { expect, test } from "vitest"
import { contentOf, originOf, partsOf, promptText, shellText } from "../../../src/formats/pi/message.ts"
import type { Json, JsonObject } from "../../../src/model/json.ts"

const line = (role: string, more: JsonObject = {}): JsonObject => ({ type: "message", message: { role, ...more } })

test.each<[line: JsonObject, said: string | undefined]>([
  [line("user"), "user prompt"],
  [line("assistant"), "assistant agent"],
  [line("toolResult"), "tool tool"],
  [line("bashExecution"), "user shell"],
  [line("custom"), "user injection"],
  [line("hookMessage"), "user injection"],
  [{ type: "branch_summary" }, "user summary"],
  [{ type: "custom_message" }, "user injection"],
  [line("system"), undefined],
  [{ type: "label" }, undefined],
  [{ type: "message" }, undefined],
])("%j", (each, said) => {
  const found = originOf(each)
  expect(found && `${found.role} ${found.origin}`).toBe(said)
})

test("only a prompt has the text of one", () => {
  const content = [
    { type: "text", text: "a" },
    { type: "image", data: "A", mimeType: "image/png" },
    { type: "text", text: "b" },
  ]
  expect(promptText(line("user", { content }))).toBe("a\nb")
  expect(promptText(line("assistant", { content }))).toBeUndefined()
})

test.each<[part: Json, ours: unknown]>([
  [
    { type: "text", text: "a" },
    { type: "text", text: "a" },
  ],
  [
    { type: "thinking", thinking: "a" },
    { type: "reasoning", text: "a" },
  ],
  [
    { type: "image", data: "A", mimeType: "image/png" },
    { type: "image", mediaType: "image/png", data: "A" },
  ],
  [
    { type: "image", data: "A" },
    { type: "unknown", raw: { type: "image", data: "A" } },
  ],
  [
    { type: "image", mimeType: "a/b" },
    { type: "unknown", raw: { type: "image", mimeType: "a/b" } },
  ],
  [
    { type: "toolCall", id: "c", name: "read", arguments: { a: 1 } },
    { type: "tool-call", call: "c", name: "read", input: { a: 1 } },
  ],
  [
    { type: "toolCall", id: "c", name: "read" },
    { type: "tool-call", call: "c", name: "read", input: {} },
  ],
  [
    { type: "toolCall", id: "c" },
    { type: "unknown", raw: { type: "toolCall", id: "c" } },
  ],
  [{ type: "text" }, { type: "unknown", raw: { type: "text" } }],
  [{ type: "thinking" }, { type: "unknown", raw: { type: "thinking" } }],
  ["bare", { type: "unknown", raw: { value: "bare" } }],
])("the part %j", (part, ours) => {
  expect(contentOf([part])).toEqual([ours])
})

test("a content may be a text, nothing, or something else", () => {
  expect(["a", "", undefined, 7].map((content) => contentOf(content))).toEqual([
    [{ type: "text", text: "a" }],
    [],
    [],
    [],
  ])
  expect(partsOf({ type: "custom_message", content: "a" })).toEqual([{ type: "text", text: "a" }])
  expect(partsOf({ type: "message" })).toEqual([])
})

test("a result has its texts as output, and everything else as media", () => {
  const text = (words: string) => ({ type: "text", text: words })
  const image = { type: "image", data: "A", mimeType: "image/png" }
  const result = (more: JsonObject) => partsOf(line("toolResult", more))
  expect(result({ toolCallId: "c", toolName: "read", content: [text("a"), text("b")] })).toEqual([
    { type: "tool-result", call: "c", name: "read", output: "a\nb" },
  ])
  expect(result({ isError: true, content: [image] })).toEqual([
    {
      type: "tool-result",
      call: "",
      output: "",
      error: true,
      media: [{ type: "image", mediaType: "image/png", data: "A" }],
    },
  ])
})

test("a command of the person is sent as pi sends it, unless it is not for the model", () => {
  expect(shellText({ command: "ls", output: "a" })).toBe("Ran `ls`\n```\na\n```")
  expect(shellText({ command: "ls" })).toBe("Ran `ls`\n(no output)")
  expect(shellText({ command: "ls", exitCode: 2 })).toBe("Ran `ls`\n(no output)\n\nCommand exited with code 2")
  expect(shellText({ command: "ls", exitCode: 2, cancelled: true })).toBe(
    "Ran `ls`\n(no output)\n\n(command cancelled)",
  )
  expect(shellText({ command: "ls", exitCode: 0, truncated: true, fullOutputPath: "/f" })).toBe(
    "Ran `ls`\n(no output)\n\n[Output truncated. Full output: /f]",
  )
  expect(shellText({ command: "ls", truncated: true })).toBe("Ran `ls`\n(no output)")
  expect(partsOf(line("bashExecution", { command: "ls" }))).toHaveLength(1)
  expect(partsOf(line("bashExecution", { command: "ls", excludeFromContext: true }))).toEqual([])
})

test("the summary of a branch is sent, unless it is empty", () => {
  expect(partsOf({ type: "branch_summary", summary: "" })).toEqual([])
  expect(partsOf({ type: "branch_summary", summary: "s" })).toMatchObject([
    { text: expect.stringMatching(/<summary>\ns<\/summary>$/) },
  ])
})

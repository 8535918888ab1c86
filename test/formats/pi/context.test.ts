// What pi sends when it resumes, as the real program was seen to do it.
import { expect, test } from "vitest"
import { contextAt } from "../../../src/history/context/context.ts"
import type { Part } from "../../../src/model/record/record.ts"
import { historyOf, idOf, type Line, message, text } from "./lines.ts"

async function sent(...lines: Line[]): Promise<string[]> {
  return contextAt(await historyOf(...lines)).flatMap(({ role, content }) =>
    content.map((part) => `${role}: ${said(part)}`),
  )
}

function said(part: Part): string {
  if (part.type === "text") return part.text
  return part.type === "tool-result" ? part.output : part.type
}

const asked = message("user", "one")
const answered = message("assistant", [text("reply")])

test("later system messages change sections by name, and null removes one", async () => {
  const first = message("system", "", { sections: { preamble: "You are pi.", cwd: "here" } })
  const later = message("system", "", { sections: { cwd: null, skills: "skills" } })
  expect((await sent(first, asked, later, answered))[0]).toBe("system: You are pi.\n\nskills")
})

test("a compaction holds the whole system prompt, and keeps what it says is kept", async () => {
  const lines = [
    message("system", "old"),
    asked,
    answered,
    message("user", "two"),
    message("system", "", { sections: { more: "x" } }),
    message("assistant", [text("reply two")]),
    { type: "compaction", summary: "all well", firstKeptEntryId: idOf(3), systemMessage: { content: "new" } },
    message("user", "three"),
  ]
  expect(await sent(...lines)).toEqual([
    "system: new",
    "user: The conversation history before this point was compacted into the following summary:\n\n<summary>\nall well\n</summary>",
    "user: two",
    "assistant: reply two",
    "user: three",
  ])
  const none = { ...lines[6], firstKeptEntryId: idOf(6) }
  expect((await sent(...lines.slice(0, 6), none)).slice(2)).toEqual([])
})

test.each([
  [{ output: "a\nb", exitCode: 0 }, ["user: Ran `ls`\n```\na\nb\n```"]],
  [{ output: "", exitCode: 3 }, ["user: Ran `ls`\n(no output)\n\nCommand exited with code 3"]],
  [{ output: "a", cancelled: true }, ["user: Ran `ls`\n```\na\n```\n\n(command cancelled)"]],
  [
    { output: "a", truncated: true, fullOutputPath: "/tmp/o" },
    ["user: Ran `ls`\n```\na\n```\n\n[Output truncated. Full output: /tmp/o]"],
  ],
  [{ output: "a", excludeFromContext: true }, []],
])("a command of the person: %j", async (more, expected) => {
  expect(await sent({ type: "message", message: { role: "bashExecution", command: "ls", ...more } })).toEqual(expected)
})

test("a summary of a branch is sent, unless it is empty; and so is what an extension says", async () => {
  const summary = (value: string) => ({ type: "branch_summary", fromId: idOf(0), summary: value })
  const extension = { type: "custom_message", customType: "x", content: "news", display: false }
  expect(await sent(asked, summary("tried"), summary(""), extension)).toEqual([
    "user: one",
    "user: The following is a summary of a branch that this conversation came back from:\n\n<summary>\ntried</summary>",
    "user: news",
  ])
})

test("results of parallel calls are one message", async () => {
  const call = (id: string) => ({ type: "toolCall", id, name: "read", arguments: {} })
  const result = (id: string) => message("toolResult", [text(`of ${id}`)], { toolCallId: id, toolName: "read" })
  const history = await historyOf(asked, message("assistant", [call("a"), call("b")]), result("b"), result("a"))
  expect(contextAt(history).map(({ role, content }) => [role, content.map(said)])).toEqual([
    ["user", ["one"]],
    ["assistant", ["tool-call", "tool-call"]],
    ["tool", ["of b", "of a"]],
  ])
})

test("an edit of the context replaces or leaves out a message, on its branch only", async () => {
  const edit = (target: number, replacement: unknown) => ({ type: "context_edit", targetId: idOf(target), replacement })
  const lines = [asked, answered, message("user", "two"), edit(0, null), edit(1, { content: "short" })]
  expect(await sent(...lines)).toEqual(["assistant: short", "user: two"])
  expect(await sent(...lines, { ...message("user", "three"), parentId: idOf(2) })).toEqual([
    "user: one",
    "assistant: reply",
    "user: two",
    "user: three",
  ])
})

test("an edit of a result replaces what it says, and it stays paired", async () => {
  const call = message("assistant", [{ type: "toolCall", id: "a", name: "read", arguments: {} }])
  const result = message("toolResult", [text("long")], { toolCallId: "a", toolName: "read" })
  const edit = { type: "context_edit", targetId: idOf(2), replacement: { content: [text("short")] } }
  expect(await sent(asked, call, result, edit)).toEqual(["user: one", "assistant: tool-call", "tool: short"])
})

test.each(["aborted", "error"])("an answer that ended with %s is shown, and not sent", async (stopReason) => {
  const cut = message("assistant", [text("This answer beg")], { stopReason })
  expect(await sent(asked, cut, message("user", "two"), answered)).toEqual([
    "user: one",
    "user: two",
    "assistant: reply",
  ])
})

import { expect, test } from "vitest"
import { claudeCode } from "../../../src/formats/claude-code/format.ts"
import { writeClaude } from "../../../src/formats/claude-code/write.ts"
import { listField, objectField, textField } from "../../../src/formats/shared/json-line.ts"
import type { EntryId } from "../../../src/model/id.ts"
import type { JsonObject } from "../../../src/model/json.ts"
import type { Entry, MessageRecord, Part } from "../../../src/model/record/record.ts"
import { carriedOver } from "../carried-over.ts"
import { roundTrip } from "../round-trip.ts"

roundTrip(claudeCode, { loses: "reasoning" })
carriedOver(claudeCode, { reasoning: "lost" })

function linesOf(messages: Pick<MessageRecord, "role" | "origin" | "content" | "model">[], cwd = "/p"): JsonObject[] {
  const entries = messages.map((message, i): Entry => {
    const id = (n: number) => `0195b3c4-0000-7000-8000-${n.toString(16).padStart(12, "0")}` as EntryId
    return {
      id: id(i),
      parent: i === 0 ? null : id(i - 1),
      at: "2026-11-16T10:00:00.000Z",
      type: "message",
      ...message,
    }
  })
  const newId = () => "0195b3c4-1111-7000-8000-000000000001"
  const homes = { home: "/home/you", env: {} }
  const written = writeClaude({ entries, cwd, homes, title: undefined, now: "2026-11-16T10:00:00.000Z", newId })
  const text = Buffer.from(written.files[0]?.bytes ?? []).toString()
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonObject)
}

const call = (name: string, id: string): Part => ({ type: "tool-call", call: id, name, input: {} })
const asked = (content: Part[], model?: string) => ({
  role: "assistant" as const,
  origin: "agent" as const,
  content,
  ...(model !== undefined && { model }),
})

test("a model of another provider is not one that the program would ask", () => {
  const models = ["anthropic/claude-opus-4-8", "openai/gpt-5"].map((model) => {
    const row = linesOf([asked([{ type: "text", text: "a" }], model)]).find(({ type }) => type === "assistant")
    return objectField(row, "message")?.model
  })
  expect(models).toEqual(["claude-opus-4-8", "<synthetic>"])
})

test("names of calls and tools that its provider refuses are changed, in the call and in its result", () => {
  const result: Part = { type: "tool-result", call: "bash:0", output: "ok" }
  const lines = linesOf([asked([call("fs.read", "bash:0")]), { role: "tool", origin: "tool", content: [result] }])
  const [use, answer] = lines.flatMap((line) => listField(objectField(line, "message"), "content"))
  expect(use).toMatchObject({ type: "tool_use", name: "fs_read", id: expect.stringMatching(/^[\w-]+$/) as string })
  expect(answer).toMatchObject({ type: "tool_result", tool_use_id: textField(use, "id") })
})

test("a call that never ended gets a result, because no request may contain one without", () => {
  const lines = linesOf([
    asked([call("Bash", "c1")]),
    { role: "user", origin: "prompt", content: [{ type: "text", text: "go on" }] },
  ])
  expect(lines.map(({ type }) => type)).toEqual(["mode", "assistant", "user", "user", "last-prompt"])
  expect(objectField(lines[2], "message")?.content).toMatchObject([
    { type: "tool_result", tool_use_id: "c1", is_error: true },
  ])
})

test("the session is resumed by its file if the name of its folder would be too long for the program", () => {
  const homes = { home: "/home/you", env: { CLAUDE_CONFIG_DIR: "/c" } }
  const request = { entries: [], homes, title: undefined, now: "2026-11-16T10:00:00.000Z", newId: () => "id" }
  expect(writeClaude({ ...request, cwd: "/a b" })).toMatchObject({
    files: [{ path: "/c/projects/-a-b/id.jsonl" }],
    resume: ["claude", "--resume", "id"],
  })
  const long = writeClaude({ ...request, cwd: `/${"a".repeat(300)}` })
  expect(long.resume.at(-1)).toBe(long.files[0]?.path)
})

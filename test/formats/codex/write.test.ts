import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { contextLines } from "../../../src/cli/render/context-lines.ts"
import { styleFor } from "../../../src/cli/render/style.ts"
import { codex } from "../../../src/formats/codex/format.ts"
import { writeCodex } from "../../../src/formats/codex/write.ts"
import { contextAt } from "../../../src/history/context/context.ts"
import type { EntryId } from "../../../src/model/id.ts"
import type { MessageRecord } from "../../../src/model/record/record.ts"
import { carriedOver } from "../carried-over.ts"
import { readSession, temporaryFolder } from "../read-session.ts"
import { roundTrip } from "../round-trip.ts"

roundTrip(codex, { loses: "reasoning" })
carriedOver(codex, { reasoning: "lost" })

test("a result that Codex cuts when it resumes is said to be lost, one that it sends whole is not", () => {
  const at = "2026-11-16T12:34:56.789Z"
  const entry = (n: number, said: Pick<MessageRecord, "role" | "origin" | "content">): MessageRecord => {
    const id = `0195b3c4-0000-7000-8000-00000000000${n}` as EntryId
    return { id, parent: null, at, type: "message", ...said }
  }
  const lostOf = (output: string) => {
    const entries = [
      entry(1, { role: "user", origin: "prompt", content: [{ type: "text", text: "Read it." }] }),
      entry(2, {
        role: "assistant",
        origin: "agent",
        content: [{ type: "tool-call", call: "c", name: "read", input: {} }],
      }),
      entry(3, { role: "tool", origin: "agent", content: [{ type: "tool-result", call: "c", name: "read", output }] }),
    ]
    const homes = { home: "/home/you", env: {} }
    return writeCodex({ entries, cwd: "/w", homes, title: undefined, now: at, newId: () => "thread" }).lost
  }
  expect(lostOf("x".repeat(12_000))).toEqual([])
  const cut = [{ entry: "0195b3c4-0000-7000-8000-000000000003", what: expect.stringContaining("12,000 bytes") }]
  expect(lostOf("x".repeat(12_001))).toEqual(cut)
  expect(lostOf("é".repeat(6_001))).toEqual(cut)
})

test("a result that Codex cuts is marked in what the model gets", async () => {
  const folder = temporaryFolder()
  const file = join(folder, "rollout-2026-11-18T12-00-00-01a1eeb6-0000-7000-8000-000000000000.jsonl")
  const now = "2026-11-18T12:00:00.000Z"
  const lines = [
    ["session_meta", { id: "01a1eeb6-0000-7000-8000-000000000000", timestamp: now, cwd: "/p", cli_version: "0.169.0" }],
    ["response_item", { type: "message", role: "user", content: [{ type: "input_text", text: "go" }] }],
    ["response_item", { type: "function_call", name: "exec_command", arguments: "{}", call_id: "c1" }],
    ["response_item", { type: "function_call_output", call_id: "c1", output: "x".repeat(12_001) }],
  ]
  writeFileSync(file, lines.map(([type, payload]) => `${JSON.stringify({ timestamp: now, type, payload })}\n`).join(""))
  const { history } = await readSession(codex, file)
  const [result] = contextAt(history, history.head).at(-1)?.content ?? []
  expect(result).toMatchObject({ type: "tool-result", cut: true })
  const style = styleFor({ colours: false })
  expect([...contextLines(contextAt(history, history.head), 80, style)].at(-2)).toContain(
    "only the beginning and the end",
  )
})

// What Gemini CLI's session file says of what its calls changed.
import { appendFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { saidCalls } from "../../../src/foreign/log/agent-copies.ts"
import { geminiCli } from "../../../src/formats/gemini-cli/format.ts"
import { NONE } from "../../../src/history/tree/tree.ts"
import { readSession, temporaryFolder } from "../read-session.ts"
import { at, gemini, HEADER, list, user, uuid } from "./messages.ts"

const told = { filePath: "/w/a.txt", originalContent: "old\n", newContent: "new\n" }

function call(more: object) {
  const result = [{ functionResponse: { id: "c1", name: "write_file", response: { output: "ok" } } }]
  return { id: "c1", name: "write_file", args: { file_path: "/w/a.txt" }, result, timestamp: at(3), ...more }
}

function write(...lines: object[]): string {
  const path = join(temporaryFolder(), "session-2026-11-16T10-00-3e91d15a.jsonl")
  writeFileSync(path, [HEADER, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""))
  return path
}

async function said(path: string, since = NONE) {
  const files = saidCalls(await readSession(geminiCli, path), since, (each) => each).flatMap((each) => each.files)
  return files.map((file) => [file.path, file.change])
}

test("a call that failed or was declined changed nothing; without isNewFile an empty text is not taken for a missing file", async () => {
  const of = (more: object) => said(write(user(1, "go"), gemini(2, "", { toolCalls: [call(more)] })))
  expect(await of({ status: "error", resultDisplay: "Error" })).toEqual([])
  expect(await of({ status: "cancelled", resultDisplay: told })).toEqual([])
  const change = { before: "old\n", after: "new\n", lineEnds: "exact" }
  expect(await of({ status: "success", resultDisplay: { ...told, isNewFile: false } })).toEqual([["/w/a.txt", change]])
  const unknown = { ...told, originalContent: "" }
  expect(await of({ status: "success", resultDisplay: unknown })).toEqual([["/w/a.txt", undefined]])
})

test("what a resumed session repeats happened once, when it was first told, also after the results became shorter", async () => {
  const answer = gemini(2, "", {
    toolCalls: [call({ status: "success", resultDisplay: { ...told, isNewFile: true } })],
  })
  const results = [{ functionResponse: { id: "c1", name: "write_file", response: { output: "left out" } } }]
  const later = { id: uuid(9), timestamp: at(9), type: "user", content: results }
  const path = write(user(1, "go"), answer, user(4, "two"), gemini(5, "done"))
  const change = { before: null, after: "new\n", lineEnds: "exact" }
  expect(await said(path)).toEqual([["/w/a.txt", change]])
  // The same messages again, in another order, so the answer is in the tree twice.
  const again = list(user(6, "other"), { ...answer, timestamp: at(8) }, later)
  appendFileSync(path, `${JSON.stringify(again)}\n`)
  const { history } = await readSession(geminiCli, path)
  expect(await said(path)).toEqual([["/w/a.txt", change]])
  const second = Array.from({ length: history.size }, (_, row) => row).findLast((row) => history.isPrompt(row)) ?? NONE
  expect(await said(path, second)).toEqual([])
})

// What Qwen Code's own file says of what its tools changed.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { qwenSaid } from "../../../src/formats/qwen-code/said.ts"

const lines = readFileSync(join(import.meta.dirname, "samples", "compressed.jsonl"), "utf8").split("\n")
const told = JSON.parse(lines.find((each) => each.includes('"type":"tool_result"')) ?? "{}")
const path = "/home/you/project/tool-out-2.txt"
const call = { type: "tool-call" as const, call: "call_2_0_1", name: "write_file", input: { file_path: path } }

function said(more: object = {}, display: object = {}) {
  const resultDisplay = { ...told.toolCallResult.resultDisplay, ...display }
  const line = { ...told, toolCallResult: { ...told.toolCallResult, resultDisplay, ...more } }
  return qwenSaid(call, Buffer.from(JSON.stringify(line)))?.files
}

test("a file that was created had no content before; one that was replaced had what it tells", () => {
  const after = "written in round 2\n"
  expect(said()).toEqual([{ path, change: { before: null, after, lineEnds: "lf-only" } }])
  expect(said({}, { originalContent: "old\n" })).toEqual([
    { path, change: { before: "old\n", after, lineEnds: "lf-only" } },
  ])
})

test("a call that failed changed nothing; of texts that were cut, only the file is known", () => {
  expect(said({ status: "error" })).toEqual([])
  expect(said({}, { truncatedForSession: true })).toEqual([{ path }])
  expect(said({ resultDisplay: "Done" })).toEqual([{ path }])
})

test("other calls, and other tools, are not told of", () => {
  expect(said({ callId: "another" })).toBeUndefined()
  expect(qwenSaid({ ...call, name: "run_shell_command" }, Buffer.from(JSON.stringify(told)))).toBeUndefined()
})

import { expect, test } from "vitest"
import { commandIn, inputText, inputWords, resultWords } from "../../src/model/record/tool-words.ts"

const PATCH = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** Add File: b.md\n+new\n*** End Patch"

test.each([
  ["a command", { command: "npm test", description: "Runs the tests" }, "npm test"],
  ["Codex's name for it", { cmd: "npm test", yield_time_ms: 1000 }, "npm test"],
  ["a command for a shell", { command: ["bash", "-lc", "ls | wc -l"], workdir: "/tmp" }, "ls | wc -l"],
  ["a command in words", { command: ["git", "log", "-c"] }, "git log -c"],
  ["a path", { file_path: "src/a.ts", content: "…" }, "src/a.ts"],
  ["a task", { message: "look for the cause" }, "look for the cause"],
  ["a patch", PATCH, "src/a.ts, b.md"],
  ["a text", "one\ntwo", "one two"],
  ["nothing", {}, ""],
  ["something else", { depth: 2 }, '{"depth":2}'],
  ["a list that is no command", { command: [1, 2] }, '{"command":[1,2]}'],
])("the words of a call with %s", (_, input, words) => {
  expect(inputWords(input)).toBe(words)
})

test("secrets are taken out before anything is shown", () => {
  expect(inputWords({ cmd: "curl -H secret" }, (text) => text.replace("secret", "[…]"))).toBe("curl -H […]")
  expect(inputWords(PATCH, (text) => text.replace("b.md", "[…]"))).toBe("src/a.ts, […]")
})

test("all of the input is given as text, not as JSON", () => {
  expect(inputText({ cmd: "npm test", yield_time_ms: 1000 })).toBe("$ npm test")
  expect(inputText("*** Begin Patch")).toBe("*** Begin Patch")
  expect(inputText({ chars: "a\nb", session_id: 3, plan: [{ step: "one" }] })).toBe(
    'chars:\n  a\n  b\nsession_id: 3\nplan:\n  [\n    {\n      "step": "one"\n    }\n  ]',
  )
})

test("only a call that runs a command has one", () => {
  expect(commandIn({ path: "a" })).toBeUndefined()
  expect(commandIn("ls")).toBeUndefined()
  expect(commandIn({ command: ["/bin/sh", "-c", "ls"] })).toBe("ls")
})

test.each([
  ["nothing", { output: "" }, "nothing"],
  ["one short line: as it is", { output: "42 passed\n" }, "42 passed"],
  ["two lines: how many, and how much", { output: "ok\nok\n" }, "2 lines, 6 B"],
  ["a long line", { output: "é".repeat(41) }, "1 line, 82 B"],
  ["a line of 40 characters", { output: "x".repeat(40) }, "x".repeat(40)],
  ["a picture", { output: "ok", media: [{ type: "image" }] }, "ok, 1 attachment"],
  ["a picture alone", { output: "", media: [{ type: "image" }] }, "nothing, 1 attachment"],
  ["a failure, on one line", { output: "no such\nfile", error: true }, "failed: no such file"],
])("the words of a result with %s", (_, result, words) => {
  expect(resultWords({ type: "tool-result", call: "c", ...result } as never)).toBe(words)
})

test("a call that was not answered has no result", () => {
  expect(resultWords(undefined)).toBe("no result")
})

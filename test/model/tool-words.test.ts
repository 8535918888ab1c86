import { expect, test } from "vitest"
import { commandIn, inputWords } from "../../src/model/record/tool-words.ts"

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
  expect(inputWords(`${PATCH}`, (text) => text.replace("b.md", "[…]"))).toBe("src/a.ts, […]")
})

test("only a call that runs a command has one", () => {
  expect(commandIn({ path: "a" })).toBeUndefined()
  expect(commandIn("ls")).toBeUndefined()
  expect(commandIn({ command: ["/bin/sh", "-c", "ls"] })).toBe("ls")
})

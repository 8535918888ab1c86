// What other agents tell their hooks, as the moments that snapshots are taken at.
import { expect, test } from "vitest"
import { hooksOf } from "../../src/hooks/all-hooks.ts"
import type { JsonObject } from "../../src/model/json.ts"

const AT = { session_id: "s1", cwd: "/project" }
const read = (agent: string, input: JsonObject) => hooksOf(agent)?.read({ ...AT, ...input })

test.each([
  ["claude-code", "UserPromptSubmit", "round-begins"],
  ["claude-code", "PreToolUse", "call-begins"],
  ["claude-code", "PostToolUse", "call-ends"],
  ["claude-code", "PostToolUseFailure", "call-ends"],
  ["claude-code", "SubagentStop", "round-ends"],
  ["claude-code", "PreCompact", "keep"],
  ["claude-code", "SessionEnd", "keep"],
  ["codex", "Stop", "round-ends"],
  ["codex", "PreCompact", "keep"],
  ["opencode", "Stop", "round-ends"],
])("%s: %s means %s", (agent, name, moment) => {
  expect(read(agent, { hook_event_name: name })).toMatchObject({ moment, session: "s1", cwd: "/project" })
})

test.each([
  ["claude-code", { hook_event_name: "Notification" }],
  ["claude-code", { hook_event_name: "toString" }],
  ["codex", { hook_event_name: "SessionEnd" }],
  ["claude-code", {}],
  ["claude-code", { hook_event_name: "Stop", session_id: 1 }],
  ["claude-code", { hook_event_name: "Stop", cwd: null }],
])("nothing is done for %s: %j", (agent, input) => {
  expect(read(agent, input)).toBeUndefined()
})

test("a snapshot belongs to the prompt, the call and the sub-agent that the agent names", () => {
  const input = { hook_event_name: "PreToolUse", tool_use_id: "c1", agent_id: "a1", transcript_path: "/t.jsonl" }
  const named = { call: "c1", agent: "a1", transcript: "/t.jsonl", prompt: "p1" }
  expect(read("claude-code", { ...input, prompt_id: "p1" })).toMatchObject(named)
  expect(read("codex", { ...input, turn_id: "p1" })).toMatchObject(named)
  const bare = read("claude-code", { hook_event_name: "Stop" })
  expect(bare).toEqual({ moment: "round-ends", session: "s1", cwd: "/project", transcript: undefined })
})

test.each([
  ["claude-code", "Write", { file_path: "/project/a.ts" }, ["/project/a.ts"]],
  ["claude-code", "NotebookEdit", { notebook_path: "/project/n.ipynb" }, ["/project/n.ipynb"]],
  ["claude-code", "Bash", { command: "make", file_path: "/project/a.ts" }, undefined],
  ["claude-code", "Edit", {}, undefined],
  [
    "codex",
    "apply_patch",
    {
      command:
        "*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n*** Delete File: c d.ts\n*** Add File: e.ts",
    },
    ["a.ts", "b.ts", "c d.ts", "e.ts"],
  ],
  ["codex", "apply_patch", { input: "*** Add File: a.ts\n+*** text" }, ["a.ts"]],
  ["codex", "apply_patch", { command: "nothing that it knows" }, undefined],
  ["codex", "Bash", { command: "*** Add File: a.ts" }, undefined],
  ["opencode", "edit", { filePath: "/project/a.ts" }, ["/project/a.ts"]],
  ["opencode", "bash", { filePath: "/project/a.ts" }, undefined],
])("%s: a call of %s with %j can change only what it names, where it names that", (agent, tool, input, paths) => {
  for (const name of ["PreToolUse", "PostToolUse"]) {
    expect(read(agent, { hook_event_name: name, tool_name: tool, tool_input: input })?.paths).toEqual(paths)
  }
})

test("only calls name files", () => {
  const input = { hook_event_name: "Stop", tool_name: "Write", tool_input: { file_path: "/project/a.ts" } }
  expect(read("claude-code", input)).not.toHaveProperty("paths")
})

test.each([
  ['{"type":"mode"}\n{"cwd":"/first \\"folder\\"","x":1}\n{"cwd":"/second"}', '/first "folder"'],
  ['{"text":"no folder"}', undefined],
  ['{"cwd":"\\x"}', undefined],
])("a session was started in the first folder that its file names: %s", (head, folder) => {
  expect(hooksOf("claude")?.startedIn(Buffer.from(head))).toBe(folder)
})

test("a call has its result once the agent's file says so", () => {
  const claude = { type: "tool_result", tool_use_id: "toolu_1", content: "ok" }
  expect(JSON.stringify(claude)).toContain(hooksOf("claude-code")?.resultMark("toolu_1"))
  const codex = { type: "function_call_output", call_id: "call_1", output: "ok" }
  expect(JSON.stringify(codex)).toContain(hooksOf("codex")?.resultMark("call_1"))
  const asked = { type: "function_call", name: "shell", call_id: "call_1", arguments: "{}" }
  expect(JSON.stringify(asked)).not.toContain(hooksOf("codex")?.resultMark("call_1"))
})

test("Gemini CLI gives no ids: a moment is named by its input, and when", () => {
  const gemini = (name: string, more: JsonObject = {}) =>
    read("gemini", { hook_event_name: name, timestamp: "2026-11-17T12:00:00Z", ...more })
  const [begun, same, other] = [{ prompt: "go" }, { prompt: "go" }, { prompt: "stop" }].map((more) =>
    gemini("BeforeAgent", more),
  )
  expect(begun).toMatchObject({
    moment: "round-begins",
    digestNames: true,
    prompt: expect.stringMatching(/@2026-11-17T12:00:00Z$/),
  })
  expect([same?.prompt, other?.prompt === begun?.prompt]).toEqual([begun?.prompt, false])
  const call = (more: JsonObject) =>
    gemini("BeforeTool", { tool_name: "replace", tool_input: { file_path: "/p/a", a: 1 }, ...more })
  expect(call({})).toMatchObject({ moment: "call-begins", paths: ["/p/a"] })
  expect(call({ tool_input: { a: 1, file_path: "/p/a" } })?.call).toBe(call({})?.call)
  expect(call({ original_request_name: "write_file" })?.call).not.toBe(call({})?.call)
  expect(call({ tool_name: "run_shell_command" })).not.toHaveProperty("paths")
  expect(call({ tool_input: {} })).not.toHaveProperty("paths")
  expect(gemini("AfterTool", { tool_name: "replace" })).toMatchObject({ moment: "call-ends" })
  expect(gemini("AfterAgent", { prompt: "go", transcript_path: "" })).toEqual({
    moment: "round-ends",
    session: "s1",
    cwd: "/project",
    transcript: undefined,
    digestNames: true,
  })
  expect(gemini("PreCompress")).toMatchObject({ moment: "keep" })
  for (const none of [
    gemini("BeforeModel"),
    gemini("AfterAgent", { timestamp: 1 }),
    gemini("AfterAgent", { cwd: 1 }),
  ]) {
    expect(none).toBeUndefined()
  }
})

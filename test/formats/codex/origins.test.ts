// Who said what, by the fields of new versions and by the texts of older ones.
import { expect, test } from "vitest"
import { codex } from "../../../src/formats/codex/format.ts"
import { ORIGINS } from "../../../src/model/record/origin.ts"
import { readSession, temporaryFolder } from "../read-session.ts"
import { item, line, meta, rolloutPath, said, started, write } from "./rollouts.ts"

async function read(...lines: string[]) {
  const { history } = await readSession(codex, write(rolloutPath(temporaryFolder()), ...lines))
  return Array.from({ length: history.size }, (_, row) => ({
    origin: ORIGINS[history.origin(row)],
    record: history.record(row),
  }))
}

test.each([
  ["user.text", "prompt"],
  ["shell.user_command", "shell"],
  ["generic.turn_aborted", "interrupt"],
  ["environments.environment_context", "injection"],
  ["agents_md.instructions", "injection"],
  ["of.tomorrow", "injection"],
])("a message of the user that says it is %s: %s", async (kind, origin) => {
  expect((await read(meta(), said("user", "some text", kind)))[0]?.origin).toBe(origin)
})

test.each([
  ["fix the bug", "prompt"],
  ["<b>why</b> is this bold?", "prompt"],
  ["<environment_context>\n</environment_context>", "injection"],
  ["<user_instructions>be nice</user_instructions>", "injection"],
  ["# AGENTS.md instructions for /home/you", "injection"],
  ["<turn_aborted>\nby the user</turn_aborted>", "interrupt"],
  ["<user_shell_command>ls</user_shell_command>", "shell"],
  ["<skill>\n<name>pdf</name></skill>", "skill"],
  ["<subagent_notification>done</subagent_notification>", "notification"],
])("in a file of an older version, %j is %s", async (text, origin) => {
  expect((await read(meta(), said("user", text)))[0]?.origin).toBe(origin)
})

test("what another agent gave is a task; what a person adds to that thread later is a prompt", async () => {
  const lines = [
    started("a turn elsewhere"),
    said("user", "do this", "user.text"),
    started(),
    said("user", "now me", "user.text"),
  ]
  expect((await read(meta(undefined, { parent_thread_id: "x" }), ...lines)).map(({ origin }) => origin)).toEqual([
    "task",
    "prompt",
  ])
})

test("a second message in a turn was typed while the agent worked", async () => {
  const lines = [started(), said("user", "first", "user.text"), said("user", "second", "user.text")]
  expect((await read(meta(), ...lines)).map(({ origin }) => origin)).toEqual(["prompt", "steer"])
})

test("what an editor put before a request is not shown as typed", async () => {
  const text = "# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nfix a.ts\n"
  const [first] = await read(meta(), said("user", text))
  expect(first?.record).toMatchObject({ display: "fix a.ts", content: [{ text }] })
})

test("calls of all kinds have their results, with images and failures", async () => {
  const image = { type: "input_image", image_url: "data:image/png;base64,AAAA" }
  const items = [
    { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "sealed" },
    { type: "function_call", name: "exec", arguments: '{"cmd":"ls"}', call_id: "1" },
    { type: "custom_tool_call", name: "apply_patch", input: "*** Begin", call_id: "2" },
    { type: "local_shell_call", action: { command: ["ls"] }, call_id: "3" },
    { type: "function_call", name: "exec", arguments: "{not json", call_id: "4" },
    { type: "function_call_output", call_id: "1", output: [{ type: "input_text", text: "a" }, image] },
    { type: "custom_tool_call_output", call_id: "2", output: { content: "no", success: false } },
    { type: "web_search_call", action: { query: "x" } },
  ]
  const rows = await read(meta(), ...items.map((each) => line("response_item", each)))
  const contents = rows.map(({ record }) => (record?.type === "message" ? record.content[0] : undefined))
  expect(contents).toEqual([
    { type: "reasoning", text: "hm", meta: { by: "codex", data: { encrypted_content: "sealed" } } },
    { type: "tool-call", call: "1", name: "exec", input: { cmd: "ls" } },
    { type: "tool-call", call: "2", name: "apply_patch", input: "*** Begin" },
    { type: "tool-call", call: "3", name: "local_shell", input: { command: ["ls"] } },
    { type: "tool-call", call: "4", name: "exec", input: "{not json" },
    { type: "tool-result", call: "1", output: "a", media: [{ type: "image", mediaType: "image/png", data: "AAAA" }] },
    { type: "tool-result", call: "2", output: "no", error: true },
    { type: "unknown", raw: items[7] },
  ])
})

test("an answer names the model of its turn, and its pieces are one answer", async () => {
  const context = (model: string) => line("turn_context", { model })
  const call = line("response_item", { type: "function_call", name: "exec", arguments: "{}", call_id: "1" })
  const rows = await read(
    meta(),
    context("gpt-a"),
    said("user", "one"),
    said("assistant", "first"),
    call,
    context("gpt-b"),
    said("user", "two"),
    said("assistant", "second"),
  )
  const answers = rows.flatMap(({ record }) =>
    record?.type === "message" && record.role === "assistant" ? [record] : [],
  )
  expect(answers.map(({ model }) => model)).toEqual(["gpt-a", "gpt-a", "gpt-b"])
  expect(answers[1]?.answer).toBe(answers[0]?.answer)
  expect(answers[2]?.answer).not.toBe(answers[0]?.answer)
})

test("a compaction of an older version replaces the last prompts and its summary", async () => {
  const { history } = await readSession(
    codex,
    write(
      rolloutPath(temporaryFolder()),
      meta(),
      said("user", "one"),
      said("assistant", "reply"),
      line("compacted", { message: "the summary" }),
    ),
  )
  expect(history.record(2)).toMatchObject({
    type: "compaction",
    summary: "the summary",
    as: [{ content: [{ text: "one" }] }, { content: [{ text: "the summary" }] }],
  })
})

test("what a compaction kept of calls and results stays paired", async () => {
  const kept = [
    item("user", "one", "user.text"),
    { type: "function_call", name: "exec", arguments: "{}", call_id: "1" },
    { type: "function_call", name: "exec", arguments: "{}", call_id: "2" },
    { type: "function_call_output", call_id: "1", output: "a" },
    { type: "function_call_output", call_id: "2", output: "b" },
  ]
  const rows = await read(meta(), line("compacted", { message: "m", replacement_history: kept }))
  const as = rows[0]?.record?.type === "compaction" ? rows[0].record.as : undefined
  expect(as?.map(({ role, content }) => [role, content.length])).toEqual([
    ["user", 1],
    ["assistant", 2],
    ["tool", 2],
  ])
})

// Who said what: every kind of user row that the program writes.
import { expect, test } from "vitest"
import type { JsonObject } from "../../../src/model/json.ts"
import { attachment, prompt, read, system } from "./lines.ts"

const meta = { isMeta: true }
const KINDS: [string, JsonObject, string, string?][] = [
  ["what a person typed", prompt("x", null, "hello", { origin: { kind: "human" }, promptSource: "typed" }), "prompt"],
  ["what was given with -p", prompt("x", null, "hello", { promptSource: "sdk" }), "prompt"],
  ["a prompt of an old version", prompt("x", null, "hello"), "prompt"],
  ["a prompt that speaks of a mark", prompt("x", null, "what is <command-name>?"), "prompt"],
  [
    "a command that starts a turn",
    prompt(
      "x",
      null,
      "<command-message>init</command-message>\n<command-name>/init</command-name>\n<command-args>now</command-args>",
    ),
    "command",
    "/init now",
  ],
  [
    "a command of the program",
    prompt("x", null, "<command-name>/cost</command-name>\n  <command-message>cost</command-message>"),
    "command",
    "/cost",
  ],
  ["what a command put out", prompt("x", null, "<local-command-stdout>ok</local-command-stdout>"), "command", "ok"],
  ["a caveat before it", prompt("x", null, "<local-command-caveat>Caveat</local-command-caveat>", meta), "injection"],
  ["a shell command", prompt("x", null, "<bash-input>ls</bash-input>"), "shell", "!ls"],
  ["what it put out", prompt("x", null, "<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>"), "shell", "a"],
  ["an interruption", prompt("x", null, "[Request interrupted by user for tool use]"), "interrupt"],
  [
    "news of a task",
    prompt("x", null, "<task-notification>done</task-notification>", { origin: { kind: "task-notification" } }),
    "notification",
  ],
  ["news of another kind", prompt("x", null, "psst", { origin: { kind: "coordinator" } }), "notification"],
  [
    "a teammate's message",
    prompt("x", null, '<teammate-message teammate_id="a">hi</teammate-message>'),
    "notification",
  ],
  ["the text of a skill", prompt("x", null, "You are…", { ...meta, sourceToolUseID: "toolu_1" }), "skill"],
  ["a hook's feedback", prompt("x", null, "Stop hook feedback:\n- no", meta), "hook"],
  ["a filler", prompt("x", null, "Continue from where you left off.", meta), "injection"],
  [
    "what was typed while the agent ran",
    attachment("x", null, { type: "queued_command", prompt: "wait", commandMode: "prompt", origin: { kind: "human" } }),
    "steer",
  ],
  [
    "news while the agent ran",
    attachment("x", null, { type: "queued_command", prompt: "n", commandMode: "task-notification" }),
    "notification",
  ],
  [
    "a file that was mentioned",
    attachment("x", null, { type: "file", filename: "/a", content: { type: "text", file: { content: "A" } } }),
    "injection",
  ],
  [
    "a local command",
    { ...system("x", null), subtype: "local_command", content: "<local-command-stdout>ok</local-command-stdout>" },
    "command",
    "ok",
  ],
]

test.each(KINDS)("%s", (_, line, origin, display) => {
  const record = read([line]).record(0)
  expect(record).toMatchObject({ type: "message", role: "user", origin })
  expect(record?.type === "message" && record.display).toBe(display)
})

test("only what a person typed, or a command that starts a turn, is a prompt", () => {
  const prompts = KINDS.filter(([, line]) => read([line]).isPrompt(0)).map(([what]) => what)
  expect(prompts).toEqual(KINDS.slice(0, 5).map(([what]) => what))
})

test("the text of a command that starts a turn belongs to the command", () => {
  const command = prompt("c", null, "<command-message>init</command-message>\n<command-name>/init</command-name>")
  expect(read([command, prompt("e", "c", "Please analyse", meta)]).record(1)).toMatchObject({ origin: "command" })
})

test("what an editor puts beside a prompt is not what the person typed", () => {
  const line = prompt("x", null)
  const content = [
    { type: "text", text: "<ide_opened_file>a.ts</ide_opened_file>" },
    { type: "text", text: "fix it" },
  ]
  const history = read([{ ...line, message: { role: "user", content } }])
  expect(history.record(0)).toMatchObject({ origin: "prompt", display: "fix it" })
})

// What the model of Kimi Code would get, by the rules that the program replays its wire with.
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { kimiCode } from "../../../src/formats/kimi-code/format.ts"
import { wholePath } from "../../../src/formats/shared/whole-path.ts"
import { contextAt } from "../../../src/history/context/context.ts"
import { path } from "../../../src/history/tree/tree.ts"
import type { JsonObject } from "../../../src/model/json.ts"
import { ORIGINS } from "../../../src/model/record/origin.ts"
import { type Entry, KIND } from "../../../src/model/record/record.ts"
import { asWritten } from "../../../src/model/text/inert.ts"
import { glanceAt, placeOf, readSession } from "../read-session.ts"
import { answer, begin, calls, end, profile, result, says, session, switched, user } from "./wires.ts"

/** One word per message: its text, or its results. */
async function textsOf(path: string): Promise<string[]> {
  const { history } = await readSession(kimiCode, path)
  return contextAt(history).map(({ content }) =>
    content
      .map((part) => ("text" in part ? part.text : part.type === "tool-result" ? part.output : part.type))
      .join("+"),
  )
}

const ONE = [user("one"), ...answer("s1", "a1")]
const TWO = [user("two"), ...answer("s2", "a2")]

describe("moves", () => {
  test("agent.switched goes back to a line, and forward to the branch that was left", async () => {
    // Line 1 is the header, so the first answer ends at line 5.
    const left = [...ONE, ...TWO, switched("b1", { branch: "main", line: 5 }), user("other"), ...answer("s3", "a3")]
    expect(await textsOf(session(...left))).toEqual(["one", "a1", "other", "a3"])
    expect(await textsOf(session(...left, switched("b2", { branch: "main", line: 9 })))).toEqual([
      "one",
      "a1",
      "two",
      "a2",
    ])
    expect(await textsOf(session(...left, switched("b2", { branch: "b1", line: 11 })))).toEqual(["one", "a1", "other"])
    // A line before the branch began is where it began; one behind the branch is its end.
    expect(await textsOf(session(...left, switched("b2", { branch: "b1", line: 2 })))).toEqual(["one", "a1"])
    expect(await textsOf(session(...left, switched("b2", { branch: "main", line: 99 })))).toEqual([
      "one",
      "a1",
      "two",
      "a2",
    ])
  })

  test("an agent.switched to a branch that does not exist is damage, and moves nothing", async () => {
    const path = session(...ONE, switched("b1", { branch: "gone", line: 2 }), user("on"))
    const { history } = await readSession(kimiCode, path)
    expect(history.last(KIND.operation)).toBe(0xffffffff)
    expect(await textsOf(path)).toEqual(["one", "a1", "on"])
  })

  test("context.undo takes back so many prompts, unless agent.switched has done it", async () => {
    const undo = (count: number) => ({ type: "context.undo", count })
    expect(await textsOf(session(...ONE, ...TWO, undo(1)))).toEqual(["one", "a1"])
    expect(await textsOf(session(...ONE, ...TWO, undo(2), user("new")))).toEqual(["new"])
    expect(await textsOf(session(...ONE, ...TWO, undo(3)))).toEqual(["one", "a1", "two", "a2"])
    const paired = switched("b1", { branch: "main", line: 5 }, { legacyUndoLine: 11 })
    expect(await textsOf(session(...ONE, ...TWO, paired, undo(1)))).toEqual(["one", "a1"])
  })

  test("context.clear empties the conversation and leaves the system prompt", async () => {
    const path = session(profile("be brief"), ...ONE, { type: "context.clear" }, user("anew"))
    expect(await textsOf(path)).toEqual(["be brief", "anew"])
  })
})

describe("an answer", () => {
  test("its pieces are one message, and parallel results one", async () => {
    const step = [
      begin("s1"),
      says("s1", "look"),
      calls("s1", "c1"),
      calls("s1", "c2"),
      result("c2", "r2"),
      result("c1", "r1"),
    ]
    expect(await textsOf(session(user("one"), ...step, end("s1")))).toEqual([
      "one",
      "look+tool-call+tool-call",
      "r1+r2",
    ])
  })

  test("what comes while it is written is placed after it and its results", async () => {
    const steer = user("steer", { kind: "user", inTurn: true })
    const step = [begin("s1"), calls("s1", "c1"), steer, result("c1", "r1"), end("s1")]
    expect(await textsOf(session(user("one"), ...step))).toEqual(["one", "tool-call", "r1", "steer"])
  })

  test("a call without a result does not hide the next prompt", async () => {
    const texts = await textsOf(session(user("one"), begin("s1"), calls("s1", "c1"), user("two")))
    expect(texts.at(-1)).toBe("two")
    expect(texts).toHaveLength(4)
  })

  test("pieces of no open step, and results of no open call, are ignored", async () => {
    const path = session(user("one"), ...answer("s1", "a1"), says("s1", "late"), result("c9", "nobody asked"))
    expect(await textsOf(path)).toEqual(["one", "a1"])
  })

  test("it has its model, its usage and why it ended", async () => {
    const { history } = await readSession(kimiCode, session(profile("be brief", "k3"), ...ONE))
    expect(history.record(history.head)).toMatchObject({
      model: "k3",
      usage: { input: 7, output: 2 },
      stop: "end_turn",
    })
  })

  test("the model is told how long a command took, and what a tool notes", async () => {
    const step = [
      begin("s1"),
      calls("s1", "c1", "Bash"),
      result("c1", "ok", { durationMs: 1500, note: "noted" }),
      end("s1"),
    ]
    expect((await textsOf(session(user("one"), ...step))).at(-1)).toBe("Wall time: 1.500 seconds\nok\nnoted")
  })
})

test("results are sent in the order of the calls, whichever tool was faster; a copy has them in that order, too", async () => {
  const results = [result("fast", "1"), result("slow", "2")]
  const step = [begin("s"), says("s", "both"), calls("s", "slow"), calls("s", "fast"), ...results, end("s", "tool_use")]
  const { history } = await readSession(kimiCode, session(user("go"), ...step, ...answer("t", "done")))
  expect(contextAt(history)[2]?.content).toMatchObject([{ call: "slow" }, { call: "fast" }])
  const records = path(history, history.head).map((row) => history.record(row) as Entry)
  const copied = wholePath(records).steps.flatMap((each) => (each.type === "results" ? each.results : []))
  expect(copied).toMatchObject([{ call: "slow" }, { call: "fast" }])
})

test("the model is told that a tool failed, and that a result is empty", async () => {
  const told = async (output: string, more: JsonObject) => {
    const step = [begin("s1"), calls("s1", "c1", "Bash"), result("c1", output, more), end("s1")]
    return asWritten((await textsOf(session(user("one"), ...step))).at(-1) ?? "")
  }
  const failed = "<system>ERROR: Tool execution failed.</system>"
  expect(await told("no such file", { isError: true })).toBe(`${failed}\nno such file`)
  expect(await told("x", { isError: true, durationMs: 73 })).toBe(`Wall time: 0.073 seconds\n${failed}\nx`)
  expect(await told("", { isError: true })).toBe("<system>ERROR: Tool execution failed. Tool output is empty.</system>")
  expect(await told(" ", {})).toBe("<system>Tool output is empty.</system>")
})

describe("a compaction", () => {
  const compaction = { type: "context.apply_compaction", summary: "sum", contextSummary: "SUM", compactedCount: 4 }
  const GO_ON =
    "<system-reminder>\nContext compaction is complete — continue the work that was in progress when it began.\n</system-reminder>"

  test("what people said stays, followed by the summary and a request to continue", async () => {
    const lines = [...ONE, user("remember", { kind: "injection" }), ...TWO, { ...compaction, keptUserMessageCount: 2 }]
    expect(await textsOf(session(...lines, user("three")))).toEqual(["one", "two", "SUM", GO_ON, "three"])
  })

  test("of very long prompts the beginning and the end stay, with a note in between", async () => {
    const long = "x".repeat(100_000)
    const texts = await textsOf(
      session(user(long), ...answer("s1", "a1"), user("end"), { ...compaction, keptUserMessageCount: 2 }),
    )
    expect(texts.map((text) => text.length)).toEqual([8000, expect.any(Number), 71_992, 3, 3, GO_ON.length])
  })

  test("in the old shape the summary comes first and the last messages stay whole", async () => {
    expect(await textsOf(session(...ONE, ...TWO, { ...compaction, compactedCount: 2 }))).toEqual(["SUM", "two", "a2"])
  })

  test("it cannot be undone over", async () => {
    const lines = [...ONE, { ...compaction, keptUserMessageCount: 1 }, ...TWO, { type: "context.undo", count: 2 }]
    expect((await textsOf(session(...lines))).slice(-2)).toEqual(["two", "a2"])
  })
})

test.each([
  [{ kind: "user" }, "prompt", true],
  [undefined, "prompt", true],
  [{ kind: "user", inTurn: true }, "steer", false],
  [{ kind: "skill_activation", trigger: "user-slash", skillName: "review", skillArgs: "all" }, "command", true],
  [{ kind: "skill_activation", trigger: "model-tool", skillName: "review" }, "skill", false],
  [{ kind: "plugin_command", trigger: "user-slash", pluginId: "p", commandName: "c" }, "command", true],
  [{ kind: "injection", variant: "date_change" }, "injection", false],
  [{ kind: "shell_command", phase: "input" }, "shell", false],
  [{ kind: "system_trigger", name: "subagent" }, "task", false],
  [{ kind: "system_trigger", name: "stop_hook" }, "hook", false],
  [{ kind: "system_trigger", name: "goal_continuation" }, "injection", false],
  [{ kind: "task", taskId: "t" }, "notification", false],
  [{ kind: "cron_job", jobId: "j" }, "notification", false],
  [{ kind: "hook_result", event: "Stop" }, "hook", false],
  [{ kind: "retry" }, "retry", false],
  [{ kind: "of-tomorrow" }, "unknown", false],
])("a message of origin %j is %s", async (origin, expected, prompt) => {
  const { history } = await readSession(kimiCode, session(user("text", origin)))
  expect([ORIGINS[history.origin(0)], history.isPrompt(0)]).toEqual([expected, prompt])
})

test("a slash command is shown as it was typed", async () => {
  const origin = { kind: "skill_activation", trigger: "user-slash", skillName: "review", skillArgs: "all of it" }
  const { history } = await readSession(kimiCode, session(user("You are a reviewer …", origin)))
  expect(history.record(0)).toMatchObject({ display: "/review all of it" })
})

test("a list shows title and folder", () => {
  const path = session(...ONE)
  expect(glanceAt(kimiCode, placeOf(kimiCode, path))).toMatchObject({
    title: "A title",
    cwd: "/p",
    id: path.slice(-36),
  })
})

test.each([
  '{"type":"agent.switched","branch":"b","base":{"branch":"main","line":1e308}}',
  '{"type":"agent.switched","branch":"main","base":{"branch":"main","line":-5}}',
  '{"type":"context.undo","count":9007199254740991}',
  '{"type":"context.append_message","message":{"role":{},"content":7}}',
  '{"type":"context.append_message","message":{"role":"tool","content":[[[]]]}}',
  '{"type":"context.append_message","message":{"role":"user","content":[{"type":"image_url","imageUrl":{"url":"blobref:image/png;../../../state.json"}}]}}',
  '{"type":"context.append_loop_event","event":null,"time":1e300}',
  '{"type":"context.apply_compaction"}',
  '{"type":"profile.bind","systemPrompt":7,"modelAlias":{}}',
])("a line like %s is read without harm", async (line) => {
  const path = session(...ONE)
  const wire = join(path, "agents", "main", "wire.jsonl")
  appendFileSync(wire, `${line}\n${line}\n`)
  const { history } = await readSession(kimiCode, path)
  for (let row = 0; row < history.size; row++) history.record(row)
  expect(() => contextAt(history)).not.toThrow()
  expect(readFileSync(wire, "utf8")).toContain(line)
})

import { expect, test } from "vitest"
import { ScannedSession } from "../../../src/foreign/scan/scanned-session.ts"
import { opencode } from "../../../src/formats/opencode/format.ts"
import { indexedRows } from "../indexed-rows.ts"
import { contextOf, linesFile, NOTHING_OURS, promptsOf, readSession } from "../read-session.ts"

interface Message {
  info: object
  parts: object[]
}

const part = (n: number, type: string, more: object) => ({ id: `prt_${n}`, type, ...more })
const time = (n: number) => ({ time: { created: 1_790_000_000_000 + n * 1000 } })

function user(n: number, ...parts: object[]): Message {
  return { info: { id: `msg_${n}`, role: "user", ...time(n) }, parts }
}

function assistant(n: number, parts: object[], more: object = {}): Message {
  return {
    info: { id: `msg_${n}`, role: "assistant", providerID: "p", modelID: "m", finish: "stop", ...time(n), ...more },
    parts,
  }
}

const text = (n: number, value: string, more: object = {}) => part(n, "text", { text: value, ...more })
const tool = (n: number, state: object) =>
  part(n, "tool", { tool: "bash", callID: `call_${n}`, state: { input: {}, ...state } })

const TALK = [
  user(1, text(1, "one")),
  assistant(2, [text(2, "first")]),
  user(3, text(3, "two")),
  assistant(4, [text(4, "second")]),
]

const session = (messages: unknown[], info: object = {}) => {
  const whole = { info: { id: "ses_1", directory: "/home/you", title: "t", ...info }, messages }
  return readSession(opencode, linesFile([JSON.stringify(whole)], "export.json"))
}

async function read(messages: unknown[], info: object = {}) {
  return (await session(messages, info)).history
}

test("what was reverted is there, and opencode continues before it", async () => {
  const history = await read(TALK, { revert: { messageID: "msg_3" } })
  expect(contextOf(history)).toEqual(["user: one", "assistant: first"])
  expect(history.size).toBe(5)
})

test("it still does when nothing has changed and the rows come from an index", async () => {
  const first = await session(TALK, { revert: { messageID: "msg_3" } })
  const again = new ScannedSession(first.opened, NOTHING_OURS)
  expect(again.load(indexedRows(first.session))).toBe(true)
  expect(promptsOf(again.history)).toEqual(["one"])
  again.close()
})

test("if only the last parts of a message were reverted, it continues after those before", async () => {
  const steps = [part(50, "step-start", {}), text(51, "one step"), tool(52, { status: "completed", output: "x" })]
  const more = [part(60, "step-start", {}), text(61, "another")]
  const history = await read([...TALK, user(5, text(40, "three")), assistant(6, [...steps, ...more])], {
    revert: { messageID: "msg_6", partID: "prt_60" },
  })
  expect(contextOf(history).at(-1)).toBe("tool: result call_52 x")
})

test("an answer of several steps is several messages, each with its results", async () => {
  const history = await read([
    user(1, text(1, "go")),
    assistant(2, [
      part(2, "step-start", {}),
      part(3, "reasoning", { text: "hm" }),
      tool(4, { status: "completed", output: "a" }),
      tool(5, { status: "error", error: "b failed" }),
      part(6, "step-start", {}),
      tool(7, { status: "running" }),
      tool(8, { status: "completed", output: "long", time: { compacted: 1 } }),
      part(9, "step-start", {}),
      text(10, "done"),
    ]),
  ])
  expect(contextOf(history)).toEqual([
    "user: go",
    "assistant: hm",
    "assistant: call call_4",
    "assistant: call call_5",
    "tool: result call_4 a",
    "tool: result call_5 b failed",
    "assistant: call call_7",
    "assistant: call call_8",
    "tool: result call_7 [Tool execution was interrupted]",
    "tool: result call_8 [Old tool result content cleared]",
    "assistant: done",
  ])
})

test("a text that is empty says nothing; a call without one is a call", async () => {
  const call = { ...tool(4, { status: "completed", output: "a" }), text: "" }
  const history = await read([user(1, text(1, "go")), assistant(2, [text(2, ""), call])])
  expect(contextOf(history)).toEqual(["user: go", "assistant: call call_4", "tool: result call_4 a"])
})

test("a summary replaces what was before it, except for the messages that were kept", async () => {
  const asked = user(5, part(50, "compaction", { auto: true, tail_start_id: "msg_3" }))
  const summary = assistant(6, [text(60, "what we did")], { summary: true, parentID: "msg_5" })
  const history = await read([...TALK, asked, summary, user(7, text(70, "three"))])
  expect(promptsOf(history)).toEqual(["one", "two", "three"])
  expect(contextOf(history)).toEqual([
    "user: What did we do so far?",
    "assistant: what we did",
    "user: two",
    "assistant: second",
    "user: three",
  ])
  const unfinished = assistant(6, [], { summary: true, finish: undefined })
  expect(contextOf(await read([...TALK, asked, unfinished])).length).toBe(4)
})

test("only what was typed is a prompt", async () => {
  const history = await read([
    user(
      1,
      text(1, "look at @a.txt"),
      text(2, "content of a.txt", { synthetic: true }),
      text(3, "not sent", { ignored: true }),
    ),
    user(2, text(4, "Continue if you have next steps", { synthetic: true })),
    user(3, text(5, "The following tool was executed by the user", { synthetic: true })),
    user(4, part(6, "subtask", { prompt: "review", command: "review" })),
    user(
      5,
      part(7, "file", { mime: "image/png", url: "data:image/png;base64,aGk=", filename: "a.png" }),
      text(8, "this"),
    ),
  ])
  expect(promptsOf(history)).toEqual(["look at @a.txt", "The following tool was executed by the user", "this"])
  expect(contextOf(history)).toEqual([
    "user: look at @a.txt",
    "user: content of a.txt",
    "user: Continue if you have next steps",
    "user: The following tool was executed by the user",
    "user: The following tool was executed by the user",
    "user: image",
    "user: this",
  ])
})

test("a session with a parent has a task, and says whose", async () => {
  const whole = { info: { id: "ses_2", parentID: "ses_1", directory: "/" }, messages: [user(1, text(1, "do it"))] }
  const { opened, history } = await readSession(opencode, linesFile([JSON.stringify(whole)], "export.json"))
  expect(promptsOf(history)).toEqual([])
  expect(opened.header.from).toMatchObject({ as: "task" })
})

test("contradictory messages affect no others", async () => {
  const history = await read([
    ...TALK,
    null,
    { info: 5, parts: {} },
    { info: { id: "msg_8", role: "robot" }, parts: [null, 5, { type: "tool", state: [] }] },
    assistant(9, [tool(90, { status: {}, output: [] }), part(91, "file", { mime: 5, url: 5 })]),
    user(10, text(100, "last")),
  ])
  for (let row = 0; row < history.size; row++) history.record(row)
  expect(promptsOf(history)).toEqual(["one", "two", "last"])
})

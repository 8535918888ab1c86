// What a session of Qwen Code means where its lines do not simply follow each other, and files that nobody should have written.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { qwenCode } from "../../../src/formats/qwen-code/format.ts"
import { KIND } from "../../../src/model/record/record.ts"
import { contextOf, glanceAt, linesFile, promptsOf, readSession, temporaryFolder } from "../read-session.ts"

const SESSION = "6515dc78-c119-4e01-bf98-a0f411dbb066"
const uuid = (n: number) => `0b1bc830-7756-4bcd-a966-${n.toString(16).padStart(12, "0")}`

/** A line with its number, and that of the one before it; 0 for none. */
function line(n: number, before: number, type: string, more: object = {}) {
  const fields = { sessionId: SESSION, timestamp: `2026-11-18T20:00:0${n % 10}.000Z`, cwd: "/work", version: "0.24.4" }
  return { uuid: uuid(n), parentUuid: before === 0 ? null : uuid(before), ...fields, type, ...more }
}

const says = (role: string, ...texts: string[]) => ({ message: { role, parts: texts.map((text) => ({ text })) } })
const user = (n: number, before: number, ...texts: string[]) => line(n, before, "user", says("user", ...texts))
const model = (n: number, before: number, ...texts: string[]) => line(n, before, "assistant", says("model", ...texts))
const system = (n: number, before: number, subtype: string, systemPayload: object = {}) =>
  line(n, before, "system", { subtype, systemPayload })

const TALK = [user(1, 0, "one"), model(2, 1, "first"), user(3, 2, "two"), model(4, 3, "second")]

async function read(...lines: unknown[]) {
  return (await readSession(qwenCode, linesFile(lines))).history
}

test("/rewind is a move that can be undone, and what it left stays a branch", async () => {
  const history = await read(...TALK, system(5, 2, "rewind", { truncatedCount: 2 }), user(6, 5, "two, differently"))
  expect(promptsOf(history)).toEqual(["one", "two, differently"])
  expect([history.kind(4), history.headAfter(4)]).toEqual([KIND.operation, 1])
  expect(history.tips()).toHaveLength(2)
})

test("/rewind to before the first prompt begins a conversation", async () => {
  const history = await read(...TALK, system(5, 0, "rewind"), user(6, 5, "other"))
  expect(promptsOf(history)).toEqual(["other"])
})

test("only what was typed is a prompt", async () => {
  const history = await read(
    user(1, 0, "<system-reminder>\nthe date\n</system-reminder>\n\n", "typed"),
    line(2, 1, "user", { subtype: "notification", ...says("user", "<task-notification/>") }),
    line(3, 2, "user", { subtype: "cron", ...says("user", "every hour") }),
    line(4, 3, "user", { subtype: "mid_turn_user_message", ...says("user", "and quickly") }),
    user(5, 4, "<system-reminder>\nonly this\n</system-reminder>"),
    line(6, 5, "user", { ...says("user", "expanded"), systemPayload: { displayText: "/review", hookContext: "" } }),
    line(7, 6, "user", { subtype: "realtime_message", ...says("user", "not sent") }),
  )
  expect(promptsOf(history)).toEqual(["typed", "/review"])
  expect(contextOf(history)).not.toContain("user: not sent")
  expect(contextOf(history)).toContain("user: and quickly")
})

test("a summary replaces what was before it, with all that is sent with it", async () => {
  const compressedHistory = [
    { role: "user", parts: [{ text: "<state_snapshot>short</state_snapshot>" }] },
    { role: "model", parts: [{ text: "Got it." }] },
  ]
  const history = await read(...TALK, system(5, 4, "chat_compression", { compressedHistory }), user(6, 5, "three"))
  expect(contextOf(history)).toEqual([
    "user: <state_snapshot>short</state_snapshot>",
    "assistant: Got it.",
    "user: three",
  ])
})

test("lines that Qwen Code passes over when it resumes do not move the head", async () => {
  const history = await read(...TALK, system(5, 2, "session_artifact_event"), system(6, 1, "session_sources_snapshot"))
  expect(promptsOf(history)).toEqual(["one", "two"])
})

test("the tokens of an answer are counted once, whether the thoughts are part of its output or not", async () => {
  const counted = (usageMetadata: object) => line(2, 1, "assistant", { ...says("model", "first"), usageMetadata })
  const usage = async (counts: object) => {
    const record = (await read(user(1, 0, "one"), counted(counts))).record(1)
    return record?.type === "message" && record.usage
  }
  const counts = { promptTokenCount: 100, cachedContentTokenCount: 60, candidatesTokenCount: 10, thoughtsTokenCount: 3 }
  expect(await usage({ ...counts, totalTokenCount: 110 })).toEqual({ input: 40, cacheRead: 60, output: 10 })
  expect(await usage({ ...counts, totalTokenCount: 113 })).toEqual({ input: 40, cacheRead: 60, output: 13 })
})

test("sessions are found with those put aside and those of sub-agents, and say what they are called", () => {
  const home = temporaryFolder()
  const project = ".qwen/projects/-work"
  const titled = linesFile(
    [...TALK, system(5, 4, "custom_title", { customTitle: "Fine" })],
    `${project}/chats/a.jsonl`,
    home,
  )
  const aside = linesFile(TALK, `${project}/chats/archive/b.jsonl`, home)
  const asked = linesFile(
    [line(1, 0, "user", { agentId: "explore-1", isSidechain: true, ...says("user", "look") })],
    `${project}/subagents/${SESSION}/agent-explore-1.jsonl`,
    home,
  )
  linesFile([{ description: "Look around" }], `${project}/subagents/${SESSION}/agent-explore-1.meta.json`, home)
  const places = [...qwenCode.find({ home, env: {} })]
  expect(places.map(({ path }) => path)).toEqual([titled, aside, asked])
  const titles = places.map((place) => glanceAt(qwenCode, place)?.title)
  expect(titles).toEqual(["Fine", "one", "Look around"])
  expect(glanceAt(qwenCode, places[2] as (typeof places)[0])).toMatchObject({
    name: "explore-1",
    from: { name: SESSION },
  })
  expect(qwenCode.resume({ path: asked, main: asked }, "explore-1")).toEqual(["qwen", "--resume", SESSION])
  expect([...qwenCode.find({ home: "/nowhere", env: { QWEN_HOME: `${home}/.qwen` } })]).toHaveLength(3)
  expect([...qwenCode.find({ home, env: { QWEN_RUNTIME_DIR: "~/.qwen" } })]).toHaveLength(3)
})

test("lines that are damaged, or contradictory, affect no others", async () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`
  const odd = [null, true, 1e308, "x", [], {}, [[]], { parts: 5 }, { parts: [null, 4, { functionResponse: 7 }] }]
  const fields = ["message", "parentUuid", "timestamp", "subtype", "systemPayload", "usageMetadata", "uuid", "type"]
  const wrong = fields.flatMap((field, f) =>
    odd.flatMap((value, v) =>
      ["user", "assistant", "tool_result", "system"].map((type, t) => ({
        ...line(1000 + f * 100 + v * 10 + t, 4, type, says("user", "x")),
        ...(type === "system" && { subtype: "chat_compression" }),
        [field]: value,
      })),
    ),
  )
  const torn = ["{ torn", "null", "42", { uuid: 5 }, { uuid: "..", parentUuid: "/etc/passwd", timestamp: 1e300 }]
  const nested = `{"uuid":"${uuid(900)}","parentUuid":"${uuid(4)}","type":"user","message":{"parts":${deep}}}`
  const history = await read(...TALK, ...torn, ...wrong, nested, user(5, 4, "three"), user(6, 99, "an orphan"))
  for (let row = 0; row < history.size; row++) expect(() => history.record(row)).not.toThrow()
  expect(promptsOf(history)).toEqual(["an orphan"])
})

test("thousands of branches on one line are read in one go", async () => {
  const lines: unknown[] = [user(1, 0, "one")]
  for (let n = 2; n < 20_000; n++) lines.push(model(n, 1, "x"))
  expect((await read(...lines)).tips()).toHaveLength(19_998)
})

test("each request is told once: those of answers, of sub-agents, and of summaries", () => {
  const told = (place: string) => {
    const path = join(import.meta.dirname, "samples", place)
    const reader = qwenCode.requests?.({ path, main: path }, (name) => name)
    const lines = (reader?.files ?? []).flatMap((file) => readFileSync(file, "utf8").trimEnd().split("\n"))
    return lines.flatMap((text) => reader?.line(JSON.parse(text)) ?? [])
  }
  const asker = "4230a173-7c64-4176-914f-bcb0f550d51e"
  expect(told(`sub-agent/chats/${asker}.jsonl`)).toHaveLength(12)
  expect(told(`sub-agent/subagents/${asker}/agent-general-purpose-call_2_0_1.jsonl`)).toEqual([])
  const summary = told("compressed.jsonl").find(({ usage }) => usage.input === 119_000)
  expect(summary).toMatchObject({ model: "fake-model", usage: { output: 100 } })
})

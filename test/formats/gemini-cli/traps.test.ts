import { join, relative } from "node:path"
import { expect, test } from "vitest"
import { geminiCli } from "../../../src/formats/gemini-cli/format.ts"
import { KIND } from "../../../src/model/record/record.ts"
import { contextOf, linesFile, promptsOf, readSession, temporaryFolder } from "../read-session.ts"
import { at, CONTEXT, gemini, HEADER, list, SESSION, TALK, user, uuid } from "./messages.ts"

async function read(...lines: unknown[]) {
  return (await readSession(geminiCli, linesFile([HEADER, ...lines]))).history
}

function count(history: Awaited<ReturnType<typeof read>>, kind: number): number {
  return Array.from({ length: history.size }, (_, row) => row).filter((row) => history.kind(row) === kind).length
}

test("a rewind drops what follows, and that stays as a branch; the next prompt is another one", async () => {
  const history = await read(...TALK, { $rewindTo: uuid(3) }, user(5, "two, differently"), gemini(6, "another"))
  expect(promptsOf(history)).toEqual(["one", "two, differently"])
  expect(count(history, KIND.operation)).toBe(1)
  expect(contextOf(history)).toEqual(["user: one", "assistant: first", "user: two, differently", "assistant: another"])
})

test("a rewind to a message that does not exist leaves nothing, as in Gemini CLI", async () => {
  const history = await read(...TALK, { $rewindTo: "nobody" })
  expect(contextOf(history)).toEqual([])
})

test("a resume writes the list twice and in another form; that makes no rows", async () => {
  const again = [user(1, "one"), gemini(2, "", { content: [{ text: "first" }] }), user(3, "two"), gemini(4, "second")]
  const before = await read(CONTEXT, ...TALK)
  const after = await read(
    CONTEXT,
    ...TALK,
    HEADER,
    list(CONTEXT),
    { $set: { sessionId: SESSION } },
    list(CONTEXT, ...again),
  )
  expect(after.size).toBe(before.size)
  expect(contextOf(after)).toEqual(contextOf(before))
})

test("a list that is shorter is a rewind, once something follows; a longer one goes forward again", async () => {
  const [one, first] = TALK as [object, object]
  const shorter = await read(...TALK, list(one, first))
  expect(contextOf(shorter)).toEqual(["user: one", "assistant: first"])
  expect(count(shorter, KIND.operation)).toBe(0)
  const continued = await read(...TALK, list(one, first), user(5, "three"))
  expect(promptsOf(continued)).toEqual(["one", "three"])
  expect(count(continued, KIND.operation)).toBe(1)
  const forward = await read(...TALK, list(one, first), list(...TALK))
  expect(contextOf(forward).at(-1)).toBe("assistant: second")
})

test("what a list has in the middle is placed there, and prompts after it are still prompts once", async () => {
  const [one, first, two, second] = TALK as [object, object, object, object]
  const shell = user(9, "I ran the following shell command:\n```sh\nls\n```")
  const history = await read(...TALK, list(one, first, shell, two, second), user(10, "three"))
  expect(promptsOf(history)).toEqual(["one", "two", "three"])
  expect(contextOf(history).map((line) => line.slice(0, 15))).toEqual([
    "user: one",
    "assistant: firs",
    "user: I ran the",
    "user: two",
    "assistant: seco",
    "user: three",
  ])
})

test("after a saved conversation was brought back, only that is sent, without its first prompt, as by the real program", async () => {
  const { history } = await readSession(geminiCli, join(import.meta.dirname, "samples/chats/saved.jsonl"))
  expect(
    contextOf(history)
      .slice(1)
      .map((line) => line.slice(0, 40)),
  ).toEqual([
    "assistant: I heard: Say something.",
    "user: Write and list.",
    "assistant: Both at once.",
    "assistant: call write_file__call_2_0",
    "assistant: call run_shell_command__call_",
    "tool: result write_file__call_2_0 Succes",
    "tool: result run_shell_command__call_2_1",
    "assistant: Both are done.",
    "user: Do it in another way.",
    "assistant: I heard: Do it in another way",
    "user: What comes next?",
    "assistant: I heard: What comes next?",
  ])
})

test("a prompt that begins like a command is a prompt, is marked, and is not sent; so is one behind a hook's context", async () => {
  const hooked = "<hook_context>from a hook</hook_context>\n\ntyped"
  const history = await read(
    user(1, "/tmp is full"),
    gemini(2, "a"),
    user(3, " ?"),
    gemini(4, "b"),
    user(5, hooked),
    gemini(6, "c"),
  )
  expect(promptsOf(history)).toEqual(["/tmp is full", " ?", "typed"])
  expect(contextOf(history)).toEqual(["assistant: a", "assistant: b", "assistant: c"])
  expect([0, 2, 4].map((row) => history.record(row))).toMatchObject([
    { dropped: true },
    { dropped: true },
    { dropped: true },
  ])
})

test("a compression is a compaction; messages that it kept under new ids are no second prompts", async () => {
  const thanks = gemini(21, "Got it. Thanks for the additional context!")
  const kept = list(
    user(20, "<state_snapshot>all of it</state_snapshot>"),
    thanks,
    user(23, "two"),
    gemini(24, "second"),
  )
  const history = await read(...TALK, kept, user(25, "three"), gemini(26, "third"))
  expect(promptsOf(history)).toEqual(["one", "two", "three"])
  expect(count(history, KIND.compaction)).toBe(1)
  expect(contextOf(history)).toEqual([
    "user: <state_snapshot>all of it</state_snapshot>",
    "assistant: Got it. Thanks for the additional context!",
    "user: two",
    "assistant: second",
    "user: three",
    "assistant: third",
  ])
})

test("results that are written beside the calls and as a message are there once; later ones amend them", async () => {
  const response = (id: string, output: string) => ({ functionResponse: { id, name: "ls", response: { output } } })
  const call = (id: string, result?: object) => ({
    id,
    name: "ls",
    args: { path: id },
    ...(result && { result: [result] }),
  })
  const history = await read(
    user(1, "go"),
    gemini(2, "looking", {
      toolCalls: [call("a"), call("b")],
      tokens: { input: 10, output: 2, cached: 4, thoughts: 1 },
    }),
    gemini(2, "looking", { toolCalls: [call("a", response("a", "1")), call("b", response("b", "2"))] }),
    { id: uuid(3), timestamp: at(3), type: "user", content: [response("a", "1"), response("b", "2")] },
    gemini(4, "done"),
    list(
      user(1, "go"),
      { ...gemini(2, ""), content: [{ text: "looking" }, { functionCall: call("a") }, { functionCall: call("b") }] },
      { id: `${uuid(2)}_response`, type: "user", content: [response("a", "1"), response("b", "[cut]")] },
      gemini(4, "done"),
    ),
  )
  expect(contextOf(history)).toEqual([
    "user: go",
    "assistant: looking",
    "assistant: call a",
    "assistant: call b",
    "tool: result a 1",
    "tool: result b [cut]",
    "assistant: done",
  ])
  expect(history.record(1)).toMatchObject({ usage: { input: 6, output: 3, cacheRead: 4 }, at: at(2) })
})

test("only what was typed is a prompt", async () => {
  const history = await read(
    CONTEXT,
    user(1, "read @a.txt"),
    user(2, "read @b.txt\n--- content ---", { displayContent: [{ text: "read @b.txt" }] }),
    user(3, "<hook_context>from a hook</hook_context>"),
    user(4, "Please continue."),
    user(5, "Here is the user's editor context as a JSON object. This is for your information only."),
    { id: uuid(6), timestamp: at(6), type: "info", content: "Update available" },
    user(7, "/home/you/file is broken"),
    gemini(8, "ok"),
  )
  expect(promptsOf(history)).toEqual(["read @a.txt", "read @b.txt", "/home/you/file is broken"])
  expect(contextOf(history)).not.toContain("user: Update available")
})

test("one id for a question and an answer names two messages", async () => {
  const history = await read(user(1, "one"), gemini(1, "first"))
  expect(contextOf(history)).toEqual(["user: one", "assistant: first"])
})

test("lines that are damaged, or contradictory, affect no others", async () => {
  const history = await read(
    ...TALK,
    "{ torn",
    "7",
    { id: 5 },
    { id: "..", type: "user", content: { functionResponse: { id: [], response: 5 } }, timestamp: 1e300 },
    { $set: { messages: "none" } },
    { $set: null },
    `{"$set":{"messages":[${"[".repeat(20_000)}${"]".repeat(20_000)}]},"$set":{"mess\\u0061ges":[]}}`,
    { id: uuid(9), type: "gemini", toolCalls: [null, { result: [[]] }], thoughts: [5], content: [null] },
  )
  for (let row = 0; row < history.size; row++) history.record(row)
  expect(history.size).toBeGreaterThan(5)
})

test("a session of an older version, which is one document, is read like a newer one", async () => {
  const document = JSON.stringify({ ...HEADER, messages: TALK, summary: "About two things" }, null, 2)
  const path = linesFile([document], "session-2025-08-01T10-00-3e91d15a.json")
  const { history } = await readSession(geminiCli, path)
  expect(promptsOf(history)).toEqual(["one", "two"])
  const look = { head: Buffer.from(document).subarray(0, 4096), tail: Buffer.alloc(0), read: () => undefined }
  expect(geminiCli.glance({ path, main: path }, look)).toMatchObject({ name: SESSION })
})

test("each session is found once: not its stub of a later minute, nor the document it was before", () => {
  const home = temporaryFolder()
  const chats = join(".gemini", "tmp", "work", "chats")
  const put = (name: string) => relative(home, linesFile([HEADER], join(chats, name), home))
  const wanted = [
    put("session-2026-11-15T21-00-3e91d15a.jsonl"),
    put("session-2026-11-15T22-00-0badcafe.jsonl"),
    put(join(SESSION, "5c039379-205c-403f-9c7c-e9963ca097a6.jsonl")),
  ]
  put("session-2026-11-15T21-00-3e91d15a.json")
  put("session-2026-11-15T21-04-3e91d15a.jsonl")
  put("notes.jsonl")
  expect([...geminiCli.find({ home, env: {} })].map(({ path }) => relative(home, path))).toEqual(wanted)
  expect([...geminiCli.find({ home: temporaryFolder(), env: { GEMINI_CLI_HOME: home } })].length).toBe(3)
})

test("a sub-agent's session says whose task it is", async () => {
  const path = linesFile(
    [{ ...HEADER, sessionId: uuid(1), kind: "subagent" }, user(2, "do it")],
    join("chats", SESSION, `${uuid(1)}.jsonl`),
  )
  const { opened, history } = await readSession(geminiCli, path)
  expect(opened.header.from).toEqual({ session: SESSION, entry: null, as: "task" })
  expect(promptsOf(history)).toEqual([])
})

test("thousands of results of one answer, one by one and again, are read in one go", async () => {
  const response = (n: number) => ({ functionResponse: { id: `call ${n}`, name: "ls", response: { output: "x" } } })
  const results = Array.from({ length: 5000 }, (_, n) => ({ id: uuid(n + 10), type: "user", content: [response(n)] }))
  const history = await read(user(1, "go"), gemini(2, "looking"), ...results, ...results)
  expect(count(history, KIND.message)).toBe(5002)
})

test("a session without a title is called by its first prompt, not by what Gemini CLI or the model said", () => {
  const glance = (...lines: object[]) => {
    const head = Buffer.from(`${[HEADER, ...lines].map((line) => JSON.stringify(line)).join("\n")}\n`)
    const look = { head, tail: Buffer.alloc(0), read: () => undefined }
    return geminiCli.glance({ path: "/x/session.jsonl", main: "/x/session.jsonl" }, look)?.title
  }
  expect(glance(CONTEXT, gemini(2, "an answer"), user(3, "the prompt"), user(4, "another"))).toBe("the prompt")
  expect(glance(CONTEXT, gemini(2, "an answer"))).toBeUndefined()
})

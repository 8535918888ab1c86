import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { neovate } from "../../../src/formats/neovate/format.ts"
import { contextOf, linesFile, promptsOf, readSession, temporaryFolder } from "../read-session.ts"
import { line, result, text, uuid } from "./messages.ts"

async function read(...lines: unknown[]) {
  return (await readSession(neovate, linesFile(lines))).history
}

test("a rewind is a branch: the last message of the file says where it continues", async () => {
  const history = await read(
    line(1, 0, "user", "one"),
    line(2, 1, "assistant", text("first")),
    line(3, 2, "user", "two"),
    line(4, 3, "assistant", text("second")),
    line(5, 2, "user", "two, differently"),
  )
  expect(promptsOf(history)).toEqual(["one", "two, differently"])
})

test("only what was typed is a prompt", async () => {
  const history = await read(
    line(1, 0, "user", "typed"),
    line(2, 1, "user", "<bash-input>ls</bash-input>"),
    line(3, 2, "user", "<bash-stdout>a.txt</bash-stdout>"),
    line(4, 3, "user", "a reminder", { hidden: true }),
    line(5, 4, "user", [{ type: "text", text: "only for the model", hidden: true }]),
    line(6, 5, "user", text("[Request interrupted by user]")),
    line(7, 6, "user", [
      { type: "text", text: "look at @a.txt" },
      { type: "text", text: "content of a.txt", hidden: true },
    ]),
    line(8, 7, "user", "the whole template", { uiContent: "/review now" }),
    line(9, 8, "user", [{ type: "tool_result", id: "c1", name: "bash", result: { llmContent: "old" } }]),
    line(10, 9, "user", "the task", { metadata: { agentId: "0badcafe" } }),
  )
  expect(promptsOf(history)).toEqual(["typed", "look at @a.txt", "/review now"])
  expect(contextOf(history)).toContain("user: content of a.txt")
})

test("results of parallel calls that all name the answer are all in the context", async () => {
  const call = (id: string) => ({ type: "tool_use", id, name: "bash", input: {} })
  const history = await read(
    line(1, 0, "user", "go"),
    line(2, 1, "assistant", [call("a"), call("b"), call("c")]),
    line(3, 2, "tool", [result("a", "one")]),
    line(4, 2, "tool", [result("b", [{ type: "text", text: "two" }])]),
    line(5, 2, "tool", [result("c", "three")]),
    line(6, 5, "assistant", text("done")),
  )
  expect(contextOf(history).slice(4)).toEqual([
    "tool: result a one",
    "tool: result b two",
    "tool: result c three",
    "assistant: done",
  ])
})

test("a summary, and the answer that was written after it without a parent, continue the conversation", async () => {
  const history = await read(
    line(1, 0, "user", "one"),
    line(2, 1, "assistant", text("first")),
    line(3, 0, "user", text("what we did"), { uiContent: "Chat history compacted successfully." }),
    line(4, 0, "assistant", text("on we go")),
    line(5, 4, "user", "two"),
  )
  expect(promptsOf(history)).toEqual(["one", "two"])
  expect(contextOf(history)).toEqual(["user: what we did", "assistant: on we go", "user: two"])
})

test("a message that comes again has its last body, and is where it continues", async () => {
  const history = await read(
    line(1, 0, "user", "one"),
    line(2, 1, "assistant", text("first")),
    line(3, 2, "user", "two"),
    line(2, 1, "assistant", text("first, corrected")),
  )
  expect(contextOf(history)).toEqual(["user: one", "assistant: first, corrected"])
})

test("lines that are damaged, or contradictory, affect no others", async () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`
  const history = await read(
    line(1, 0, "user", "one"),
    "{ torn",
    "null",
    { type: "message", uuid: 5, parentUuid: {}, role: [] },
    { type: "message", uuid: "..", parentUuid: "/etc/passwd", role: "user", content: { a: 1 }, timestamp: 1e300 },
    `{"type":"message","uuid":"${uuid(7)}","parentUuid":"${uuid(1)}","role":"user","content":${deep}}`,
    { type: "config", config: null },
    line(2, 1, "assistant", text("first"), { usage: { input_tokens: "many" } }),
    line(3, 99, "user", "an orphan"),
  )
  for (let row = 0; row < history.size; row++) history.record(row)
  expect(promptsOf(history)).toEqual(["an orphan"])
})

test("thousands of branches on one parent are read in one go", async () => {
  const lines: unknown[] = [line(1, 0, "user", "one")]
  for (let n = 2; n < 20_000; n++) lines.push(line(n, 1, "tool", [result("a", "x")]))
  const history = await read(...lines)
  expect(history.size).toBe(19_999)
})

test("the folder of a project is found by what was typed in it; the title is what the config line says", async () => {
  const home = temporaryFolder()
  const config = { type: "config", config: { approvalTools: [], summary: "Fix the login" } }
  const path = linesFile(
    [config, line(1, 0, "user", "hello")],
    ".neovate/projects/home-you-my-project/65a89596.jsonl",
    home,
  )
  const data = {
    projects: { "/home/you": { history: ["a"] }, "/home/you/my_Project": { history: ['"b": {"history"'] } },
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(join(home, ".neovate", "data.json"), JSON.stringify(data))
  const { opened, history } = await readSession(neovate, path)
  expect(opened.header.cwd).toBe("/home/you/my_Project")
  expect(history.record(0)).toMatchObject({ type: "config", key: "title", value: "Fix the login" })
  expect([...neovate.find({ home, env: {} })]).toEqual([{ path, main: path }])
})

test("a session that was branched off says from which, and where", async () => {
  const forkedFrom = (n: number) => ({ forkedFrom: { sessionId: "0badcafe", messageUuid: uuid(n) } })
  const { opened } = await readSession(
    neovate,
    linesFile([line(1, 0, "user", "one", forkedFrom(11)), line(2, 1, "assistant", text("first"), forkedFrom(12))]),
  )
  expect(opened.header.from).toMatchObject({ as: "split", entry: uuid(12) })
})

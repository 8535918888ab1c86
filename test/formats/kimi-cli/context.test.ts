// What the model of Kimi CLI would get, and what stands beside it.
import { createHash } from "node:crypto"
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { kimiCli } from "../../../src/formats/kimi-cli/format.ts"
import { contextAt } from "../../../src/history/context/context.ts"
import { ORIGINS } from "../../../src/model/record/origin.ts"
import { KIND, plainText } from "../../../src/model/record/record.ts"
import { age } from "../../../src/model/text/amounts.ts"
import { glanceAt, type ReadSession, readSession, temporaryFolder } from "../read-session.ts"

const sample = (name: string) => join(import.meta.dirname, "samples", name)

test("a compaction is followed by what it kept, once", async () => {
  const { history } = await readSession(kimiCli, sample("compacted"))
  const texts = contextAt(history).map(({ role, content }) => `${role}: ${plainText(content).split("\n").at(-1)}`)
  expect(texts.filter((text) => !text.includes("system>") && !text.includes("system-reminder>"))).toEqual([
    "system: You are Kimi.",
    "user: <current_focus>pool.py is fixed</current_focus>",
    "user: also add a test",
    "assistant: added",
    "user: now in red",
    "assistant: red",
    "user: </notification>",
    "user: not so bright",
    "assistant: dark red",
  ])
})

test("a message has the time of its prompt, which only the wire knows", async () => {
  const { history } = await readSession(kimiCli, sample("compacted"))
  expect(history.record(history.head)?.at).toBe("2026-07-16T08:22:00.000Z")
  expect(history.record(history.parent(history.head))?.at, "a steer").toBe("2026-07-16T08:22:10.000Z")
})

test("without a wire no age is shown, not one of half a century", async () => {
  const folder = join(temporaryFolder(), "three-rounds")
  cpSync(sample("three-rounds"), folder, { recursive: true })
  rmSync(join(folder, "wire.jsonl"))
  const { history } = await readSession(kimiCli, folder)
  expect(age(history.record(history.head)?.at ?? "", Date.now())).toBe("?")
})

const movesOf = ({ history }: ReadSession) =>
  Array.from({ length: history.size }, (_, row) => history.record(row)).flatMap((record) =>
    record?.type === "operation" ? [`${record.by} ${record.kind}`] : [],
  )

test("a D-Mail is the agent's own way back; a cleared conversation is the person's", async () => {
  expect(movesOf(await readSession(kimiCli, sample("reverted-and-compacted")))).toEqual([
    "agent backtrack",
    "person goto",
  ])
})

test("an answer has the tokens that the lines beside it count", async () => {
  const usages = ({ history }: ReadSession) =>
    Array.from({ length: history.size }, (_, row) => history.record(row)).flatMap((record) =>
      record?.type === "message" && record.role === "assistant" ? [record.usage] : [],
    )
  const sums = [{ input: 100 }, { input: 150 }, { input: 200 }, { input: 210 }]
  expect(usages(await readSession(kimiCli, sample("three-rounds")))).toEqual(sums)
  const folder = join(temporaryFolder(), "both")
  cpSync(sample("three-rounds"), folder, { recursive: true })
  const file = join(folder, "context.jsonl")
  const text = readFileSync(file, "utf8").replace(/^(?=\{"role":"assistant")/gm, '{"role":"_usage","token_count":90}\n')
  writeFileSync(file, text)
  expect(usages(await readSession(kimiCli, folder))).toEqual([
    { input: 90, output: 10 },
    { input: 90, output: 60 },
    { input: 90, output: 110 },
    { input: 90, output: 120 },
  ])
})

test("sessions are found where the environment says, with folder, title and sub-agents", () => {
  const root = temporaryFolder()
  const group = join(root, "sessions", createHash("md5").update("/p").digest("hex"))
  cpSync(sample("reverted-and-compacted"), join(group, "one"), { recursive: true })
  cpSync(sample("three-rounds"), join(group, "two"), { recursive: true })
  writeFileSync(join(root, "kimi.json"), '{"work_dirs":[{"path":"/q"},{"path":"/p"}]}')
  const found = [...kimiCli.find({ home: "/nowhere", env: { KIMI_SHARE_DIR: root } })]
  expect(found.map((place) => glanceAt(kimiCli, place))).toMatchObject([
    { name: "one", cwd: "/p", title: "The leak" },
    { name: "one/a1b2c3d4", cwd: "/p", title: "look at pool.py", from: { name: "one", as: "task" } },
    { name: "two", cwd: "/p", title: "u1 hello" },
  ])
})

test("a revert is a move that leaves a branch, and the D-Mail is a note", async () => {
  const { history } = await readSession(kimiCli, sample("reverted-and-compacted"))
  const note = history.size - 1 - [...Array(history.size).keys()].reverse().findIndex((row) => isNote(history, row))
  expect(history.kind(note - 1)).toBe(KIND.operation)
  expect(history.headAfter(note - 1)).toBe(history.parent(note))
})

test.each([
  "{}",
  '{"role":["user"]}',
  '{"role":"user","content":{"a":1}}',
  '{"role":"assistant","tool_calls":[null,7]}',
])("a line like %s is read without harm", async (line) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, "context.jsonl"), `{"role":"user","content":"hello"}\n${line}\nnothing\n`)
  writeFileSync(join(folder, "wire.jsonl"), '{"timestamp":"x","message":{"type":"TurnBegin","payload":null}}\n')
  const { history } = await readSession(kimiCli, folder)
  expect(contextAt(history)[0]).toEqual({ role: "user", content: [{ type: "text", text: "hello" }] })
  for (let row = 0; row < history.size; row++) history.record(row)
})

function isNote(history: ReadSession["history"], row: number): boolean {
  return history.kind(row) === KIND.message && ORIGINS[history.origin(row)] === "note"
}

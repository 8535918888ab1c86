// What the model of Klaude Code would get, and what a list shows.
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { klaudeCode } from "../../../src/formats/klaude-code/format.ts"
import { contextAt } from "../../../src/history/context/context.ts"
import { plainText } from "../../../src/model/record/record.ts"
import { glanceAt, readSession, temporaryFolder } from "../read-session.ts"

const sample = (name: string) => join(import.meta.dirname, "samples", name)

async function textsOf(path: string): Promise<string[]> {
  const { history } = await readSession(klaudeCode, path)
  return contextAt(history).map(({ role, content }) => `${role}: ${plainText(content)}`)
}

test("after a rewind the model gets the checkpoint and the note, and nothing of what was left", async () => {
  expect(await textsOf(sample("rewound"))).toEqual([
    "user: Find the leak",
    "user: <system-reminder>Checkpoint 0</system-reminder>",
    "user: <system-reminder>After this, some operations were performed and context was refined via Rewind. Rationale: read 40 files. Summary: Leak is in pool.py:88. Please continue.</system-reminder>",
    "assistant: fixing pool.py",
    "user: ls",
    "user: run the tests",
    "user: <system-reminder>Checkpoint 1</system-reminder>",
    "assistant: they pass",
    "user: I saw <system-reminder>Checkpoint 0</system-reminder> in a text",
  ])
})

test("a rewind is the agent's; a withdrawn prompt the person's; and a note without a reason names none", async () => {
  const folder = join(temporaryFolder(), "rewound")
  cpSync(sample("rewound"), folder, { recursive: true })
  const file = join(folder, "events.jsonl")
  writeFileSync(file, readFileSync(file, "utf8").replace('"rationale": "read 40 files", ', ""))
  const { history } = await readSession(klaudeCode, folder)
  const records = Array.from({ length: history.size }, (_, row) => history.record(row))
  expect(records.flatMap((each) => (each?.type === "operation" ? [`${each.by} ${each.kind}`] : []))).toEqual([
    "agent backtrack",
    "person goto",
  ])
  expect((await textsOf(folder))[2]).toBe(
    "user: <system-reminder>After this, some operations were performed and context was refined via Rewind. Summary: Leak is in pool.py:88. Please continue.</system-reminder>",
  )
})

test("what a second compaction kept is counted from the end: its index is wrong after a reload", async () => {
  expect(await textsOf(sample("compacted"))).toEqual([
    "user: ## Goal\nall three",
    "user: third task",
    "assistant: third done",
    "user: fourth task",
    "assistant: fourth done",
  ])
})

test("sessions are found with folder and title, a sub-agent's with its parent", () => {
  const home = temporaryFolder()
  const sessions = join(home, ".klaude", "projects", "home-you-project", "sessions")
  for (const name of ["child", "rewound"]) cpSync(sample(name), join(sessions, name), { recursive: true })
  const found = [...klaudeCode.find({ home, env: {} })]
  expect(found.map((place) => glanceAt(klaudeCode, place))).toMatchObject([
    { name: "child", cwd: "/home/you/project", from: { name: "rewound", as: "task" } },
    { name: "rewound", cwd: "/home/you/project", title: "The leak" },
  ])
})

test.each([
  '{"type":"UserMessage"}',
  '{"type":"RewindEntry","data":{"checkpoint_id":1e300}}',
  '{"type":"RetractEntry","data":null}',
  '{"type":"CompactionEntry","data":{"kept_items_brief":[{"count":1e300,"preview":7},null]}}',
  '{"type":"AssistantMessage","data":{"created_at":"+275760-09-13","parts":[null,{"type":"tool_call"}]}}',
])("a line like %s is read without harm", async (line) => {
  const folder = temporaryFolder()
  const hello = '{"type":"UserMessage","data":{"parts":[{"type":"text","text":"hello"}]}}'
  writeFileSync(join(folder, "meta.json"), "[]")
  writeFileSync(join(folder, "events.jsonl"), `${line}\n${hello}\n${line}\n${hello}\n`)
  const { history } = await readSession(klaudeCode, folder)
  for (let row = 0; row < history.size; row++) history.record(row)
  expect(contextAt(history).at(-1)).toEqual({ role: "user", content: [{ type: "text", text: "hello" }] })
})

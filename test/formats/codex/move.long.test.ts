// What retcon appends so that Codex continues elsewhere: the real program followed each of these.
import { appendFileSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { codex } from "../../../src/formats/codex/format.ts"
import { contextAt } from "../../../src/history/context/context.ts"
import { NONE, type Row } from "../../../src/history/tree/tree.ts"
import { plainText } from "../../../src/model/record/record.ts"
import { moveContract } from "../move-contract.ts"
import { movedBy, OPERATION, type ReadSession, readSession, temporaryFolder } from "../read-session.ts"
import { item, line, meta, rolledBack, rolloutPath, said, turn, write } from "./rollouts.ts"
import { lastFile, threadSample } from "./threads.ts"

moveContract(
  codex,
  [
    { ...threadSample("reverted", "632706d0f450"), prompts: [], honoured: 23 },
    { ...threadSample("sub-agent", "7ea80e73dddd"), prompts: [], honoured: 16 },
  ],
  lastFile,
)

/** The line that moves to a row, parsed: alone, or in a turn of its own. */
function moveTo(read: ReadSession, to: Row) {
  const lines = movedBy(read, to)
  if (!Array.isArray(lines) || lines.length === 1) return Array.isArray(lines) ? lines[0] : lines
  expect(lines.map(({ payload }) => payload.type)).toEqual(["task_started", undefined, "task_complete"])
  return lines[1]
}

const rollout = (...lines: string[]) => write(rolloutPath(temporaryFolder()), meta(), ...lines)
const beginning = said("developer", "rules") + said("user", "the folder", "environments.environment_context")

test("back over whole turns is Codex's own rollback, and anything else the history itself in one line", async () => {
  const path = rollout(beginning, turn("one"), turn("two"))
  const read = await readSession(codex, path)
  const [reply, prompt] = [read.history.head, read.history.parent(read.history.head)]
  expect(moveTo(read, read.history.parent(prompt))).toMatchObject({ payload: { num_turns: 1 } })
  expect(moveTo(read, prompt)).toMatchObject({ type: "compacted" })
  appendFileSync(path, rolledBack(1))
  read.session.refresh()
  const forward = moveTo(read, reply)
  const items = readFileSync(path, "utf8")
    .split("\n")
    .filter((text) => text.includes('"response_item"'))
    .map((text) => JSON.parse(text).payload)
  expect(forward).toMatchObject({ type: "compacted", payload: { replacement_history: items } })
  expect(moveTo(read, NONE)).toMatchObject({ payload: { replacement_history: [] } })
})

test("the line has the number after the last one, where lines have numbers", async () => {
  const numbered = rollout(
    said("user", "one", "user.text", { ordinal: 1 }),
    said("assistant", "yes", undefined, { ordinal: 7 }),
  )
  expect(moveTo(await readSession(codex, numbered), 0).ordinal).toBe(9)
  expect(moveTo(await readSession(codex, rollout(turn("one"))), 0)).not.toHaveProperty("ordinal")
})

test("no turn before a replaced history is rolled back: Codex counts those in the file", async () => {
  const path = rollout(beginning, turn("one"), turn("two"), rolledBack(1))
  const before = await readSession(codex, path)
  const there = before.history.size - 2
  appendFileSync(path, `${JSON.stringify(moveTo(before, there))}\n`)
  const read = await readSession(codex, path)
  expect(moveTo(read, read.history.parent(there - 1))).toMatchObject({ type: "compacted" })
  appendFileSync(path, turn("three"))
  read.session.refresh()
  expect(moveTo(read, there)).toMatchObject({ payload: { num_turns: 1 } })
})

test("behind a compaction, the history is what it was replaced with and what followed", async () => {
  const replacement = [item("user", "one", "user.text"), item("user", "all went well", "compaction.summary")]
  const compacted = line("compacted", { message: "all went well", replacement_history: replacement })
  const path = rollout(beginning, turn("one"), compacted, turn("two"), rolledBack(1))
  const read = await readSession(codex, path)
  const reply = read.history.size - 2
  appendFileSync(path, `${JSON.stringify(moveTo(read, reply))}\n`)
  const after = await readSession(codex, path)
  expect(contextAt(after.history).map(({ content }) => plainText(content))).toEqual([
    "one",
    "all went well",
    "two",
    "reply to two",
  ])
  expect([after.history.head, after.history.id(after.history.size - 1)]).toEqual([reply, OPERATION])
})

test("where the file does not say what a compaction left, a move is refused, and a rollback is not", async () => {
  const path = rollout(turn("one"), line("compacted", { message: "all went well" }), turn("two"))
  const read = await readSession(codex, path)
  const { head } = read.history
  expect(moveTo(read, read.history.parent(head))).toMatchObject({
    ok: false,
    advice: [expect.any(String), { do: "split" }],
  })
  expect(moveTo(read, read.history.compaction(head))).toMatchObject({ payload: { num_turns: 1 } })
})

test("a line of ours whose entry does not exist is the compaction that Codex takes it for", async () => {
  const replacement = [item("user", "elsewhere", "user.text")]
  const mark = { retcon: { operation: OPERATION, to: "01a1e600-0000-7000-8000-000000000002" } }
  const path = rollout(turn("one"), line("compacted", { message: "", replacement_history: replacement }, mark))
  const { history } = await readSession(codex, path)
  expect(contextAt(history).map(({ content }) => plainText(content))).toEqual(["elsewhere"])
})

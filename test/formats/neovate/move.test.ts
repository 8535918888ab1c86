// Going back in sessions of Neovate Code: a copy of an answer, which Neovate continues from because it is the last message.
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { neovate } from "../../../src/formats/neovate/format.ts"
import { NONE } from "../../../src/history/tree/tree.ts"
import { KIND } from "../../../src/model/record/record.ts"
import { moveContract } from "../move-contract.ts"
import { linesFile, moveTo, OPERATION, readSession } from "../read-session.ts"
import { line, result, text, uuid } from "./messages.ts"

const sample = (name: string, honoured: number) => ({
  path: join(import.meta.dirname, "samples", name),
  prompts: [],
  honoured,
})

moveContract(neovate, [sample("three-rounds.jsonl", 4), sample("compacted.jsonl", 10)])

const call = [{ type: "tool_use", id: "c1", name: "bash", input: {} }]
const ROUNDS = [
  line(1, 0, "user", "one"),
  line(2, 1, "assistant", call),
  line(3, 2, "tool", [result("c1", "done")]),
  line(4, 3, "assistant", text("first")),
  line(5, 4, "user", "two"),
  line(6, 5, "assistant", text("second")),
]

test("the copy has the operation's id, and what follows it hangs under the answer itself", async () => {
  const path = linesFile(ROUNDS)
  const read = await readSession(neovate, path)
  const copy = moveTo(read, 3)
  expect(copy).toMatchObject({ uuid: OPERATION, parentUuid: uuid(3), content: text("first") })
  const next = { ...line(7, 0, "user", "two, differently"), parentUuid: OPERATION }
  appendFileSync(path, `${JSON.stringify(copy)}\n${JSON.stringify(next)}\n`)
  const { history } = await readSession(neovate, path)
  expect([history.kind(6), history.id(6), history.headAfter(6), history.parent(7)]).toEqual([
    KIND.operation,
    OPERATION,
    3,
    3,
  ])
})

test("a branch that a person began in Neovate is a move that can be undone", async () => {
  const { history } = await readSession(neovate, linesFile([...ROUNDS, line(7, 4, "user", "two, differently")]))
  expect([history.kind(6), history.parent(6), history.headAfter(6)]).toEqual([KIND.operation, 5, 3])
})

test("only the end of a turn can be a target, and not the beginning", async () => {
  const stopped = line(7, 6, "user", text("[Request interrupted by user]"))
  const read = await readSession(neovate, linesFile([...ROUNDS, stopped]))
  const refused = [NONE, 0, 1, 2, 3, 4, 5, 6].map((row) => moveTo(read, row).ok === false)
  expect(refused).toEqual([true, true, true, true, false, true, false, false])
  expect(moveTo(read, NONE).problem).toContain("before the first one")
  expect(moveTo(read, 2).advice).toContainEqual({ do: "split" })
})

test("nothing is appended after a line that cannot be read: Neovate does not resume such a session", async () => {
  const refused = { ok: false, problem: expect.stringContaining("cannot be read") }
  expect(moveTo(await readSession(neovate, linesFile([...ROUNDS, "no JSON"])), 3)).toMatchObject(refused)
  const torn = linesFile(ROUNDS)
  appendFileSync(torn, '{"type":"mess')
  expect(moveTo(await readSession(neovate, torn), 3)).toMatchObject(refused)
})

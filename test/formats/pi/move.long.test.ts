import { join } from "node:path"
import { expect, test } from "vitest"
import { pi } from "../../../src/formats/pi/format.ts"
import { planUndo } from "../../../src/history/plan/plan-undo.ts"
import { NONE } from "../../../src/history/tree/tree.ts"
import { KIND } from "../../../src/model/record/record.ts"
import { moveContract } from "../move-contract.ts"
import { moveTo, OPERATION, readSession } from "../read-session.ts"
import { entries, header, historyOf, idOf, message, sessionFile, text } from "./lines.ts"

const sample = (name: string, honoured: number) => ({
  path: join(import.meta.dirname, "samples", name),
  prompts: [],
  honoured,
})

moveContract(pi, [sample("three-rounds.jsonl", 11), sample("branched.jsonl", 13)])

const rounds = [message("user", "one"), message("assistant", [text("reply")]), message("user", "two")]
const marker = (more: object = {}) => ({
  type: "custom",
  customType: "retcon",
  id: "abcdef12",
  parentId: idOf(1),
  data: { operation: OPERATION },
  ...more,
})

test("what pi itself says after a move is placed under the move's target", async () => {
  const history = await historyOf(...rounds, marker(), { ...message("user", "three"), parentId: "abcdef12" })
  expect(history.id(3)).toBe(OPERATION)
  expect([history.kind(3), history.headAfter(3), history.parent(4)]).toEqual([KIND.operation, 1, 1])
})

test("after a move to the beginning a new conversation starts", async () => {
  const there = marker({ parentId: null })
  const history = await historyOf(...rounds, there, { ...message("user", "three"), parentId: "abcdef12" })
  expect([history.parent(4), history.round(4)]).toEqual([NONE, 1])
})

test("a branch that a person began in pi is a move that can be undone", async () => {
  const history = await historyOf(...rounds, { ...message("user", "three"), parentId: idOf(1) })
  expect([history.kind(3), history.parent(3), history.headAfter(3)]).toEqual([KIND.operation, 2, 1])
  const undone = planUndo(history, history.head)
  expect(undone.ok && undone.plan.to).toBe(1)
  expect(undone.ok && planUndo(history, undone.plan.to)).toMatchObject({ ok: true })
})

test("a line of the kind that names no operation of its own id is an entry like others", async () => {
  for (const odd of [{ data: {} }, { id: "00000009" }, { data: { operation: "abcdef12" } }, { parentId: "nowhere" }]) {
    const history = await historyOf(...rounds, marker(odd))
    expect(history.kind(history.size - 1)).toBe(KIND.unknownEntry)
  }
})

test("a session without ids is refused with what to do", async () => {
  const read = await readSession(pi, sessionFile(entries(rounds), { ...header, version: 1 }))
  expect(moveTo(read, 1)).toMatchObject({ ok: false, problem: expect.stringContaining("have no ids") })
})

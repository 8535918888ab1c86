import { expect, test } from "vitest"
import { Rows } from "../../src/history/rows/rows.ts"
import { shortIds } from "../../src/history/tree/short-ids.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import { units, unitWords } from "../../src/history/words/units.ts"
import { createSession, type Session } from "../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { memoryStore } from "../../src/store/memory/memory-store.ts"
import { add, idOf, plant, recordFor } from "./planted.ts"

function session(): Promise<Session> {
  return createSession(memoryStore(), { cwd: "/work", made: { name: "test", version: "0" } })
}

async function round(on: Session, text: string): Promise<void> {
  await on.append([promptDraft(text), answerDraft("done")])
}

/** One word per unit, newest first: what it is, `-` when undone, `*` for what undo and `+` for what redo would take. */
function listed(on: Session): string {
  return [...units(on.history)]
    .map((unit) => {
      const record = on.history.record(unit.row)
      const word = record?.type === "operation" ? record.kind : unit.type
      return `${unit.undone ? "-" : ""}${word}${unit.next === undefined ? "" : unit.next === "undo" ? "*" : "+"}`
    })
    .join(" ")
}

test("rounds and moves are listed newest first, undo takes the first that is not undone", async () => {
  const on = await session()
  expect(listed(on)).toBe("")
  await round(on, "one")
  await round(on, "two")
  expect(listed(on)).toBe("round* round")
  await on.back()
  expect(listed(on)).toBe("back* round round")
  await on.undo()
  expect(listed(on)).toBe("undo -back+ round* round")
  await on.undo()
  expect(listed(on)).toBe("undo undo -back -round+ round*")
  await on.redo()
  expect(listed(on)).toBe("redo undo undo -back+ round* round")
})

test("after a new round nothing can be redone, and what was undone stays listed as undone", async () => {
  const on = await session()
  await round(on, "one")
  await round(on, "two")
  await on.undo()
  await round(on, "three")
  expect(listed(on)).toBe("round* undo -round round")
})

test("a backtrack, its note and what the agent says then are one unit", async () => {
  const on = await session()
  await on.append([promptDraft("one"), { type: "checkpoint", n: 0 }, answerDraft("long")])
  await on.backtrack({ checkpoint: 0, note: "short" })
  await on.append(answerDraft("better"))
  expect(listed(on)).toBe("backtrack* round")
})

test("a unit says where the head was before and after it", async () => {
  const on = await session()
  await round(on, "one")
  const first = on.headRow
  await round(on, "two")
  const second = on.headRow
  await on.back()
  expect([...units(on.history)].map(({ from, to }) => [from, to])).toEqual([
    [second, first],
    [first, second],
    [NONE, first],
  ])
})

test("ids are shown by their last six characters, longer where two would look the same", () => {
  const { tree, row } = plant("P1 > a > b")
  expect(shortIds(tree).of(row("a"))).toBe("000001")
  expect(shortIds(tree).width).toBe(6)
  const twins = new Rows()
  add(twins, recordFor("a", 0x1_0000_01, null))
  add(twins, recordFor("a", 0x2_0000_01, idOf(0x1_0000_01)))
  add(twins, recordFor("a", 7, null))
  const ids = shortIds(twins)
  expect([0, 1, 2].map(ids.of)).toEqual(["1000001", "2000001", "000007"])
  expect(ids.width).toBe(7)
})

test("a move is shown with the note that it left, and with no other that it happens to lead to", async () => {
  const on = await session()
  await round(on, "one")
  await round(on, "two")
  await on.goto("@2", { summary: "what was found out" })
  const note = on.head
  await round(on, "three")
  await on.goto(note)
  const told = [...units(on.history)]
    .map((unit) => unitWords(on.history, unit))
    .map(({ kind, by, text }) => [kind, by, text])
  expect(told).toEqual([
    ["goto", "person", ""],
    ["round", "person", "three"],
    ["goto", "person", "what was found out"],
    ["round", "person", "two"],
    ["round", "person", "one"],
  ])
})

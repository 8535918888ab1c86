import { describe, expect, test } from "vitest"
import { contextAt } from "../../src/history/context/context.ts"
import { planRedo, planUndo } from "../../src/history/plan/plan-undo.ts"
import { replay } from "../../src/history/rows/replay.ts"
import { Rows } from "../../src/history/rows/rows.ts"
import { NONE, path } from "../../src/history/tree/tree.ts"
import type { EntryId, RecordId } from "../../src/model/id.ts"
import { bareFacts, emptyFacts } from "../../src/model/record/facts.ts"
import { KIND, type OperationKind } from "../../src/model/record/record.ts"
import { draw, type Picture, picture } from "./picture.ts"

const GONE = "01890a5d-ac96-7000-8000-ffffffffffff" as EntryId

function move(tree: Picture, kind: OperationKind, from: EntryId | null, to: EntryId | null, undoes?: RecordId): void {
  const operation = {
    id: tree.nextId(),
    type: "operation" as const,
    at: "",
    kind,
    by: "person" as const,
    head: { from, to },
  }
  tree.add(undoes === undefined ? operation : { ...operation, undoes })
}

function checkpoint(id: string, parent: string | null) {
  return { id: id as EntryId, type: "checkpoint" as const, parent: parent as EntryId | null, at: "", n: 0 }
}

describe("a log that is not as it should be", () => {
  test("an entry whose parent is missing starts a separate path", () => {
    const tree = picture("p1 > a1")
    const row = tree.add(checkpoint(tree.nextId(), GONE))
    expect(path(tree, tree.head)).toEqual([row])
    expect(tree.depth(row)).toBe(1)
  })

  test("an entry that is its own parent, or two that are each other's, make no endless path", () => {
    const tree = picture("p1")
    const [first, second] = ["01890a5d-ac96-7000-8000-aaaaaaaaaaaa", "01890a5d-ac96-7000-8000-bbbbbbbbbbbb"]
    const own = tree.nextId()
    tree.add(checkpoint(own, own))
    expect(path(tree, tree.head)).toHaveLength(1)
    tree.add(checkpoint(first, second))
    tree.add(checkpoint(second, first))
    expect(path(tree, tree.head)).toHaveLength(2)
  })

  test("the first record with an id counts; the second is kept and means nothing", () => {
    const tree = picture("p1 > a1 > p2")
    const row = tree.add(checkpoint(tree.idOf("a1"), null))
    expect(draw(tree)).toBe("p1 > a1 > p2 (head)")
    expect([tree.kind(row), tree.rowOf(tree.idOf("a1"))]).toEqual([KIND.damaged, tree.row("a1")])
  })

  test("a parent that is not an entry is ignored", () => {
    const tree = picture("p1")
    tree.add({ id: tree.nextId(), type: "config", at: "", key: "a", value: 1 })
    tree.add(checkpoint(tree.nextId(), tree.id(1)))
    expect(tree.depth(tree.head)).toBe(1)
  })

  test("a move to an entry that does not exist moves nothing, and is nothing to undo", () => {
    const tree = picture("p1 > a1")
    move(tree, "goto", tree.idOf("a1"), GONE)
    expect(draw(tree)).toBe("p1 > a1 (head)")
    expect(planUndo(tree, tree.head)).toMatchObject({ plan: { to: NONE, undoes: tree.idOf("p1") } })
  })

  test("a move from an entry that does not exist is undone to where the head was", () => {
    const tree = picture("p1 > a1 > p2 > a2")
    move(tree, "goto", GONE, tree.idOf("a1"))
    const planned = planUndo(tree, tree.head)
    expect(planned.ok && tree.name(planned.plan.to)).toBe("a2")
  })

  test("an undo of what is no longer the last unit is a move like any other", () => {
    const tree = picture("p1 > a1 > p2 > a2")
    move(tree, "undo", tree.idOf("a2"), tree.idOf("a1"), tree.idOf("p1"))
    expect(draw(tree)).toBe("p1 > a1 (head) > p2 > a2")
    expect(planRedo(tree, tree.head).ok).toBe(false)
    const planned = planUndo(tree, tree.head)
    expect(planned.ok && tree.name(planned.plan.to)).toBe("a2")
  })

  test("a redo of nothing is a move like any other", () => {
    const tree = picture("p1 > a1 > p2 > a2")
    move(tree, "redo", tree.idOf("a2"), tree.idOf("p1"), GONE)
    expect(tree.name(tree.head)).toBe("p1")
    expect(planUndo(tree, tree.head)).toMatchObject({ plan: { to: tree.row("a2") } })
  })

  test("blank and damaged lines change nothing, and do not split a round", () => {
    const tree = picture("p1 > a1")
    const facts = emptyFacts()
    for (const kind of [KIND.blank, KIND.damaged, KIND.blank]) {
      bareFacts(facts, kind)
      replay(tree, facts, { offset: 0, length: 0 })
      tree.records.push(undefined as never)
    }
    tree.append("b1")
    expect(draw(tree)).toBe("p1 > a1 > b1 (head)")
    expect(planUndo(tree, tree.head)).toMatchObject({ plan: { to: NONE } })
  })

  test("an entry of a newer version stays in the tree, and in no context", () => {
    const tree = picture("p1 > x1 > a1")
    expect(tree.names(path(tree, tree.head))).toBe("p1 > x1 > a1")
    expect(contextAt(tree)).toHaveLength(2)
  })

  test("an operation of a newer version moves the head, and can be undone", () => {
    const tree = picture("p1 > a1 > p2")
    move(tree, "teleport" as OperationKind, tree.idOf("p2"), tree.idOf("p1"))
    expect(tree.name(tree.head)).toBe("p1")
    expect(planUndo(tree, tree.head)).toMatchObject({ plan: { to: tree.row("p2") } })
  })
})

test("two writers who continue the same entry make two branches", () => {
  const tree = picture("p1 > a1; a1 > p2; a1 > p3; p2 > a2; p3 > a3")
  expect(draw(tree)).toBe("p1 > a1 > p2 > a2; a1 > p3 > a3 (head)")
})

test.each([0, 5, 0xffff_ffff, 0x1_0000_0000, 0x3_0000_0007])(
  "a line that begins at byte %i of a log is found there",
  (offset) => {
    const rows = new Rows()
    const facts = emptyFacts()
    bareFacts(facts, KIND.blank)
    expect(rows.offset(replay(rows, facts, { offset, length: 10 }))).toBe(offset)
  },
)

import { describe, expect, test } from "vitest"
import { planBack, planRetract } from "../../src/history/plan/plan-back.ts"
import { planGoto } from "../../src/history/plan/plan-goto.ts"
import { planRedo, planUndo } from "../../src/history/plan/plan-undo.ts"
import { entryId } from "../../src/history/tree/tree.ts"
import { type Picture, picture } from "./picture.ts"

/** A story told in words: entries are appended, operations carried out. The answer is where it ends. */
function ends(story: string): string {
  const tree = picture("")
  for (const word of story.split(" ")) tell(tree, word)
  return tree.name(tree.head)
}

function tell(tree: Picture, word: string): void {
  const [verb = "", name = ""] = word.split(":")
  const act = ACTS[verb]
  if (act === undefined) tree.append(word)
  else act(tree, name)
}

const ACTS: { [verb: string]: (tree: Picture, name: string) => unknown } = {
  back: (tree, rounds) => tree.carryOut(planBack(tree, tree.head, Number(rounds || 1))),
  goto: (tree, name) => tree.carryOut(planGoto(tree, tree.head, tree.row(name))),
  retract: (tree) => tree.carryOut(planRetract(tree, tree.head)),
  undo: (tree) => tree.carryOut(planUndo(tree, tree.head)),
  redo: (tree) => tree.carryOut(planRedo(tree, tree.head)),
  backtrack: (tree, place) => leave(tree, "backtrack", place),
  compact: (tree, place) => leave(tree, "compact", place),
  label: (tree, name) => tree.add({ id: tree.nextId(), type: "label", at: "", entry: tree.idOf(name), name: "x" }),
}

/** An operation that leaves an entry: `backtrack:n1@c0` puts the note n1 under the checkpoint c0. */
function leave(tree: Picture, kind: "backtrack" | "compact", place: string): void {
  const [entry = "", under] = place.split("@")
  const from = entryId(tree, tree.head)
  const row = tree.append(entry, under === undefined ? tree.head : tree.row(under))
  tree.add({ id: tree.nextId(), type: "operation", at: "", kind, by: "agent", head: { from, to: entryId(tree, row) } })
}

const NOTHING = "(nothing)"

describe("undo takes back one unit: an operation, or what was appended in a round between operations", () => {
  test.each([
    ["a round", "p1 a1 p2 a2 undo", "a1"],
    ["two rounds, one after the other", "p1 a1 p2 a2 undo undo", NOTHING],
    ["a round of many steps", "p1 a1 p2 a2 b2 c0 d2 u1 undo", "a1"],
    ["the first round with what stands before it", "m0 s0 p1 a1 undo", NOTHING],
    ["a system message alone", "m0 undo", NOTHING],
    ["a back", "p1 a1 p2 a2 back undo", "a2"],
    ["a goto to another branch", "p1 a1 p2 a2 goto:a1 undo", "a2"],
    ["a retract", "p1 a1 p2 retract undo", "p2"],
    ["a retract, then the round that was retracted", "p1 a1 p2 retract undo undo", "a1"],
    ["a backtrack, with its note, as one", "p1 c0 a1 b1 backtrack:n1@c0 undo", "b1"],
    ["a backtrack, with what the agent said then", "p1 c0 a1 backtrack:n1@c0 d1 e1 undo", "a1"],
    ["… and then the rest", "p1 c0 a1 backtrack:n1@c0 d1 undo undo", NOTHING],
    ["a prompt after a backtrack, alone", "p1 c0 a1 backtrack:n1@c0 d1 p2 a2 undo", "d1"],
    ["a compaction", "p1 a1 p2 a2 compact:z1 undo", "a2"],
    ["a compaction, then the round before it", "p1 a1 p2 a2 compact:z1 undo undo", "a1"],
    ["what went on after a move within the round", "p1 a1 b1 goto:a1 d1 e1 undo", "a1"],
    ["a move and not the labels after it", "p1 a1 p2 back label:p1 undo", "p2"],
    ["a round in which a label was set as one", "p1 a1 label:p1 b1 undo", NOTHING],
    ["a move after an undo: to where that led", "p1 a1 p2 a2 undo p3 a3 undo", "a1"],
    ["further after a new branch: not what was undone before it", "p1 a1 p2 a2 undo p3 a3 undo undo", NOTHING],
    ["a back after an undo", "p1 a1 p2 a2 p3 a3 undo back undo", "a2"],
    ["a fork: the new prompt, then the move", "p1 a1 p2 a2 goto:p2 p3 a3 undo", "a1"],
    ["… the move", "p1 a1 p2 a2 goto:p2 p3 a3 undo undo", "a2"],
  ])("%s", (_, story, head) => {
    expect(ends(story)).toBe(head)
  })
})

describe("redo takes back an undo", () => {
  test.each([
    ["of a round", "p1 a1 p2 a2 undo redo", "a2"],
    ["all of them, newest first", "p1 a1 p2 a2 undo undo redo", "a1"],
    ["to where it began", "p1 a1 p2 a2 undo undo redo redo", "a2"],
    ["of a backtrack", "p1 c0 a1 backtrack:n1@c0 undo redo", "n1"],
    ["of a compaction", "p1 a1 compact:z1 undo redo", "z1"],
    ["from the empty conversation", "p1 a1 undo redo", "a1"],
    ["and can be undone again", "p1 a1 p2 a2 undo redo undo", "a1"],
    ["and leaves the undos below it", "p1 a1 p2 a2 undo undo redo undo redo redo", "a2"],
    ["over labels", "p1 a1 p2 a2 undo label:p1 redo", "a2"],
    ["what is appended after it is a unit of its own", "p1 a1 undo redo b1 undo", "a1"],
    ["… and the redone unit is still there below it", "p1 a1 undo redo b1 undo undo", NOTHING],
  ])("%s", (_, story, head) => {
    expect(ends(story)).toBe(head)
  })

  test.each([
    ["nothing was undone", "p1 a1"],
    ["all was redone", "p1 a1 undo redo"],
    ["something was appended since", "p1 a1 p2 undo p3"],
    ["something else was moved since", "p1 a1 p2 a2 p3 undo back"],
    ["nothing was ever there", "label:p1"],
  ])("is refused when %s", (_, story) => {
    const tree = picture("p1")
    const words = story.split(" ").filter((word) => word !== "p1")
    for (const word of words) tell(tree, word)
    expect(planRedo(tree, tree.head)).toEqual({ ok: false, failure: { code: "nothing-to-redo" } })
  })
})

test("undo is refused when nothing is left of it, also after labels", () => {
  const tree = picture("")
  expect(planUndo(tree, tree.head)).toEqual({ ok: false, failure: { code: "nothing-to-undo" } })
  for (const word of ["p1", "undo", "label:p1"]) tell(tree, word)
  expect(planUndo(tree, tree.head)).toEqual({ ok: false, failure: { code: "nothing-to-undo" } })
})

test("what was undone stays in the tree", () => {
  const tree = picture("")
  for (const word of "p1 a1 p2 a2 undo p3".split(" ")) tell(tree, word)
  expect(tree.tips().map((row) => tree.name(row))).toEqual(["a2", "p3"])
})

test("undoing a round gives its prompt back to the editor, and undoing part of one does not", () => {
  const prompt = (story: string) => {
    const tree = picture("")
    for (const word of story.split(" ")) tell(tree, word)
    const planned = planUndo(tree, tree.head)
    return planned.ok ? tree.name(planned.plan.prompt) : planned.failure.code
  }
  expect(prompt("p1 a1 p2 a2")).toBe("p2")
  expect(prompt("m0 p1 a1")).toBe("p1")
  expect(prompt("p1 c0 a1 backtrack:n1@c0 d1")).toBe(NOTHING)
  expect(prompt("p1 a1 p2 back")).toBe(NOTHING)
})

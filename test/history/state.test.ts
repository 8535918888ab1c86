import { describe, expect, test } from "vitest"
import { checkpoints, nextCheckpoint, PathStates, stateAt } from "../../src/history/tree/state.ts"
import { config, labels, NONE } from "../../src/history/tree/tree.ts"
import { type Body, type Picture, picture } from "./picture.ts"

const state = (key: string, value: string | null): Body => ({ type: "state", key, value })

describe("state follows the path", () => {
  const bodies = {
    s1: state("todos", "one"),
    s2: state("todos", "two"),
    s3: state("model", "m"),
    s4: state("todos", null),
  }
  const tree = picture("p1 > s1 > a1 > s3 > p2 > s2 > a2 > z1 > p3; a1 > p4; a2 > s4", bodies)
  const todos = (name: string) => stateAt(tree, tree.row(name), "todos")

  test("the last value on the path wins", () => {
    expect([todos("p1"), todos("a1"), todos("p2"), todos("a2")]).toEqual([undefined, "one", "one", "two"])
  })

  test("also after a compaction", () => {
    expect(todos("p3")).toBe("two")
    expect(stateAt(tree, tree.row("p3"), "model")).toBe("m")
  })

  test("another branch has its own", () => {
    expect(todos("p4")).toBe("one")
    expect(stateAt(tree, tree.row("p4"), "model")).toBeUndefined()
  })

  test("asked again and again, from any head, it is the same", () => {
    const heads = ["p3", "p4", "s1", "s4", "p1", "a2", "p3", "s2", "s4", "p4", "p2", "p3"]
    for (const keys of [["todos", "model", "never"], ["never", "model", "todos"], ["model"]]) {
      const states = new PathStates()
      for (const head of [...heads, ...heads.toReversed()]) {
        for (const key of keys) {
          expect(states.at(tree, tree.row(head), key)).toEqual(stateAt(tree, tree.row(head), key))
        }
      }
      expect(states.at(tree, NONE, "todos")).toBeUndefined()
    }
  })

  test("a value of null is a value, and before everything there is none", () => {
    expect(todos("s4")).toBeNull()
    expect(stateAt(tree, NONE, "todos")).toBeUndefined()
  })
})

describe("checkpoint numbers", () => {
  test.each([
    ["start at 0", "p1", 0],
    ["count along the path", "p1 > c0 > a1 > c1 > a2", 2],
    ["go on from the target after a backtrack", "p1 > c0 > a1 > c1 > a2 > c2; c1 > n1", 2],
    ["are not confused by the number on an abandoned branch", "p1 > c0 > a1 > c1; c0 > n1 > a2", 1],
    ["go on through a compaction, so that they are unique on a path", "p1 > c0 > a1 > z1", 1],
    ["start over in a new conversation of the same log", "p1 > c0 > a1; p2", 0],
  ])("%s", (_, text, next) => {
    const tree = picture(text)
    expect(nextCheckpoint(tree, tree.head)).toBe(next)
  })

  test("those that an agent may name are the ones after the last compaction", () => {
    const tree = picture("p1 > c0 > a1 > z1 > p2 > c1 > a2 > c2")
    expect(checkpoints(tree, tree.head).map(({ n }) => n)).toEqual([1, 2])
  })
})

describe("labels and config", () => {
  const label = (tree: Picture, name: string, text: string) =>
    tree.add({ id: tree.nextId(), type: "label", at: "", entry: tree.idOf(name), name: text })
  const set = (tree: Picture, key: string, value: string | null) =>
    tree.add({ id: tree.nextId(), type: "config", at: "", key, value })

  test("a name that two writers gave, neither knowing of the other, belongs to the entry that got it last", () => {
    const tree = picture("p1 > a1 > p2")
    label(tree, "a1", "good")
    label(tree, "p2", "good")
    expect([...labels(tree)]).toEqual([[tree.idOf("p2"), "good"]])
    label(tree, "p2", "")
    expect([...labels(tree)]).toEqual([])
  })

  test("the last label of an entry wins, and an empty one removes it", () => {
    const tree = picture("p1 > a1 > p2")
    label(tree, "a1", "good")
    label(tree, "p2", "x")
    label(tree, "a1", "better")
    label(tree, "p2", "")
    expect([...labels(tree)]).toEqual([[tree.idOf("a1"), "better"]])
  })

  test("the last value of a key wins, and null removes it", () => {
    const tree = picture("p1")
    for (const [key, value] of [
      ["title", "a"],
      ["mode", "ask"],
      ["title", "b"],
      ["mode", null],
    ] as const)
      set(tree, key, value)
    expect([...config(tree)]).toEqual([["title", "b"]])
  })

  test("they move no head and are no entries", () => {
    const tree = picture("p1")
    label(tree, "p1", "x")
    set(tree, "title", "t")
    expect([tree.name(tree.head), tree.tips().length]).toEqual(["p1", 1])
  })
})

import { describe, expect, test } from "vitest"
import { commonAncestor, compare, entries, isOnPath, NONE, path, prompts } from "../../src/history/tree/tree.ts"
import { draw, picture } from "./picture.ts"

describe("the path is what leads to the head", () => {
  test.each([
    ["an empty conversation", "", ""],
    ["one root", "p1", "p1"],
    ["a chain", "p1 > a1 > p2", "p1 > a1 > p2"],
    ["one fork: the branch that was written last", "p1 > a1 > p2; a1 > p3", "p1 > a1 > p3"],
    ["several forks", "p1 > a1 > p2 > a2; a1 > p3 > a3; p2 > b2", "p1 > a1 > p2 > b2"],
    ["a deep fork", "p1 > a1 > p2 > a2 > p3 > a3; p1 > b1", "p1 > b1"],
    ["several roots: the last one", "p1 > a1; p2 > a2", "p2 > a2"],
    ["a short new branch beats a long abandoned one", "p1 > a1 > p2 > a2 > p3 > a3 > p4; a1 > p5", "p1 > a1 > p5"],
  ])("%s", (_, text, expected) => {
    const tree = picture(text)
    expect(tree.names(path(tree, tree.head))).toBe(expected)
  })

  test("from an entry onwards, without it", () => {
    const tree = picture("p1 > a1 > p2 > a2")
    expect(tree.names(path(tree, tree.head, tree.row("a1")))).toBe("p2 > a2")
    expect(path(tree, tree.head, tree.head)).toEqual([])
  })
})

test("a picture is drawn back as it was", () => {
  const text = "p1 > a1 > p2 > a2 (head); a1 > p3"
  const tree = picture("p1 > a1 > p2; a1 > p3; p2 > a2")
  expect(draw(tree)).toBe(text)
  expect(draw(picture(""))).toBe("(head)")
})

test("tips are the ends of branches, oldest first", () => {
  const tree = picture("p1 > a1 > p2 > a2; a1 > p3; p9")
  expect(tree.tips().map((row) => tree.name(row))).toEqual(["a2", "p3", "p9"])
  expect(tree.branches).toBe(3)
})

test("prompts are those of the path, in order, and nothing else", () => {
  const tree = picture("m0 > p1 > u1 > a1 > c0 > p2 > n1 > z1 > s1 > p3; a1 > p4")
  expect(tree.names(prompts(tree, tree.row("p3")))).toBe("p1 > p2 > p3")
  expect(tree.names(prompts(tree, tree.row("p4")))).toBe("p1 > p4")
  expect(prompts(tree, tree.row("m0"))).toEqual([])
  expect(prompts(tree, NONE)).toEqual([])
})

test("all entries are listed in the order of the log, whatever branch they are on", () => {
  const tree = picture("p1 > a1; p1 > a2; a1 > p3")
  expect(tree.names([...entries(tree)])).toBe("p1 > a1 > a2 > p3")
})

describe("the common ancestor of two entries", () => {
  const tree = picture("p1 > a1 > p2 > a2 > p3; a1 > p4 > a4; q1 > q2")
  test.each([
    ["a2", "a4", "a1"],
    ["p3", "p4", "a1"],
    ["p3", "p3", "p3"],
    ["p1", "p3", "p1"],
    ["p3", "p1", "p1"],
    ["p3", "q2", "(nothing)"],
  ])("of %s and %s is %s", (a, b, expected) => {
    expect(tree.name(commonAncestor(tree, tree.row(a), tree.row(b)))).toBe(expected)
  })

  test("with the empty conversation there is none", () => {
    expect(commonAncestor(tree, NONE, tree.row("a2"))).toBe(NONE)
    expect(commonAncestor(tree, NONE, NONE)).toBe(NONE)
  })
})

test("comparing two heads counts what only one of them has", () => {
  const tree = picture("p1 > a1 > p2 > a2 > p3; a1 > p4")
  expect(compare(tree, tree.row("p3"), tree.row("p4"))).toEqual({ common: tree.row("a1"), onlyA: 3, onlyB: 1 })
  expect(compare(tree, tree.row("a1"), tree.row("p3"))).toEqual({ common: tree.row("a1"), onlyA: 0, onlyB: 3 })
  expect(compare(tree, NONE, tree.row("a1"))).toEqual({ common: NONE, onlyA: 0, onlyB: 2 })
})

test("an entry is on the path to those below it, and to no others", () => {
  const tree = picture("p1 > a1 > p2; a1 > p3")
  expect(isOnPath(tree, tree.row("a1"), tree.row("p3"))).toBe(true)
  expect(isOnPath(tree, tree.row("p2"), tree.row("p3"))).toBe(false)
  expect(isOnPath(tree, tree.row("p3"), tree.row("a1"))).toBe(false)
  expect(isOnPath(tree, NONE, tree.row("a1"))).toBe(true)
  expect(isOnPath(tree, tree.row("a1"), NONE)).toBe(false)
})

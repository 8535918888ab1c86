// The tree as one moves through it: the cursor stays on its entry, branches fold and open.
import { expect, test } from "vitest"
import { NONE } from "../../../src/history/tree/tree.ts"
import type { WorkSession } from "../../../src/protocol/host.ts"
import { makeTreeState } from "../../../src/tui/overlay/tree/tree-state.ts"
import { type Picture, picture } from "../../history/picture.ts"

function stateOf(tree: Picture, labels: Record<string, string> = {}) {
  const named = new Map(Object.entries(labels).map(([name, label]) => [tree.idOf(name), label]))
  const session = { history: tree, head: tree.head, labels: () => named } as unknown as WorkSession
  const state = makeTreeState(session)
  const shown = () => state.visible(20).map(({ line, chosen }) => `${chosen ? ">" : " "} ${line.type}`)
  const at = () => (state.row === NONE ? undefined : tree.name(state.row))
  return { state, shown, at }
}

const tree = () => picture("p1 > a1 > p2 > a2; a1 > p3 > a3")

test("the cursor begins at the head, and moves over the lines that have an entry", () => {
  const { state, shown, at } = stateOf(tree())
  const lines = shown()
  expect(lines.filter((line) => line.startsWith(">"))).toHaveLength(1)
  const first = at()
  expect(state.move("down")).toBe(true)
  expect(at()).not.toBe(first)
  expect(state.move("up")).toBe(true)
  expect(at()).toBe(first)
  expect(state.move("x")).toBe(false)
  expect(state.move("end")).toBe(true)
  expect(state.move("home")).toBe(true)
})

test("a branch folds once and opens once, and what is no branch does neither", () => {
  const { state, shown } = stateOf(tree())
  const before = shown()
  const folds: boolean[] = []
  for (let n = 0; n < before.length; n++) {
    folds.push(state.fold("open"), state.fold("fold"), state.fold("fold"))
    if (folds.at(-2) === true) {
      expect(shown().join()).toContain("folded")
      expect(state.fold("open")).toBe(true)
      expect(shown().map((line) => line.slice(2))).toEqual(before.map((line) => line.slice(2)))
      expect(state.fold("turn")).toBe(true)
      expect(state.fold("turn")).toBe(true)
    }
    state.move("down")
  }
  expect(folds).toContain(true)
  expect(folds.filter((_, n) => n % 3 !== 1)).not.toContain(true)
})

test("an entry that is shown opens the branch that hides it", () => {
  const all = tree()
  const { state, shown, at } = stateOf(all)
  shown()
  for (let n = 0; n < 6 && !state.fold("fold"); n++) state.move("down")
  expect(shown().join()).toContain("folded")
  state.show(all.row("a2"))
  state.nextView()
  state.show(all.row("p2"))
  expect(shown().join()).not.toContain("folded")
  expect(at()).toBe("p2")
})

test("labels are known by their rows, and one view shows only what has one", () => {
  const all = tree()
  const { state, shown } = stateOf(all, { p2: "good" })
  expect([...state.labels]).toEqual([[all.row("p2"), "good"]])
  const views = [state.view]
  for (let n = 0; n < 3; n++) {
    state.nextView()
    views.push(state.view)
  }
  expect(new Set(views).size).toBe(3)
  while (state.view !== "labelled") state.nextView()
  shown()
  expect(state.fold("fold")).toBe(false)
  state.show(all.row("a3"))
  expect(state.view).toBe("all")
})

// What a conversation shows of a path.
import { expect, test } from "vitest"
import { GrowingItems } from "../../web/open/growing-items.ts"
import { hiddenBy, itemsOf } from "../../web/open/items.ts"
import { type Picture, picture } from "../history/picture.ts"

function shown(tree: Picture, open: string[] = []): string {
  const items = itemsOf(tree, tree.head, (row) => open.includes(tree.name(row)))
  return items.map(({ row, kind }) => `${tree.name(row)} ${kind}`).join(", ")
}

test("prompts, answers and asides, without marks and settings", () => {
  expect(shown(picture("m0 > p1 > c1 > s1 > a1 > u1 > n1 > b1"))).toBe(
    "m0 aside, p1 prompt, a1 answer, u1 aside, n1 note, b1 answer",
  )
})

test("a compaction hides what it replaced until it is unfolded", () => {
  const tree = picture("p1 > a1 > z1 > p2 > a2 > z2 > p3")
  expect(shown(tree)).toBe("z2 compaction, p3 prompt")
  expect(shown(tree, ["z2"])).toBe("z1 compaction, p2 prompt, a2 answer, z2 compaction, p3 prompt")
  expect(shown(tree, ["z1", "z2"])).toContain("p1 prompt, a1 answer, z1 compaction")
  expect(itemsOf(tree, tree.head, () => false)[0]?.hides).toBe(3)
  expect(tree.names(hiddenBy(tree, tree.row("a1"), tree.head))).toBe("z2 > z1")
  expect(tree.names(hiddenBy(tree, tree.row("z1"), tree.head))).toBe("z2")
  expect(hiddenBy(tree, tree.row("z2"), tree.head)).toEqual([])
})

test("entries that nobody knows are one line in each round, however the agent scatters them", () => {
  const tree = picture("p1 > x1 > x2 > a1 > x3 > a2 > x4 > p2 > a3 > x5")
  expect(shown(tree)).toBe("p1 prompt, x1 unknown, a1 answer, a2 answer, p2 prompt, a3 answer, x5 unknown")
  const unknown = itemsOf(tree, tree.head, () => false).filter(({ kind }) => kind === "unknown")
  expect(unknown.map(({ results }) => tree.names(results))).toEqual(["x2 > x3 > x4", ""])
})

test("of one path after another, the same items as of each alone", () => {
  const tree = picture(
    "p1 > a1 > p2 > a2 > x1 > x2 > p3 > a3 > z1 > p4 > a4; a2 > p5 > a5 > p6; a1 > p7 > n1; x1 > x3 > p8",
  )
  const growing = new GrowingItems()
  const closed = new Set<number>()
  const open = new Set([tree.row("z1")])
  for (const [name, opened] of [
    ...["p4", "a4", "p6", "a5", "p8", "x2", "p7", "n1", "p1", "a4", "a3", "z1"].map((each) => [each, closed] as const),
    ...["a4", "p6", "a4"].map((each) => [each, open] as const),
    ["a4", closed] as const,
  ]) {
    const head = tree.row(name)
    expect(growing.of(tree, head, opened)).toEqual(itemsOf(tree, head, (row) => opened.has(row)))
  }
})

// The graph with lanes as the page draws it, here and in a worker.
import { expect, test } from "vitest"
import { type Drawing, draw } from "../../web/tree/draw.ts"
import { PackedTree, packRows } from "../../web/tree/packed-tree.ts"
import { type Picture, picture } from "../history/picture.ts"

const request = (tree: Picture) => ({
  head: tree.head,
  show: "all" as const,
  limit: 100,
  stops: [],
  folded: [],
})

/** Each line with its strokes: "p3: 0 0-" is a lane that passes, and one that starts at the line's own mark. */
function lines({ lines: all }: Drawing, tree: Picture): string[] {
  return all.map(({ line, strokes, colour }) => {
    const what = line.type === "stretch" ? tree.name(line.stretch.named) : line.type
    const drawn = strokes.map(({ from, to }) => `${from.lane}${from.at[0]}${to.lane}${to.at[0]}`)
    return `${what} ${colour}: ${drawn.join(" ")}`
  })
}

test("a branch has its own colour and lane, and leaves where it parts", () => {
  const tree = picture("p1 > a1 > p2 > a2; a1 > p3 > a3 > p4")
  expect(lines(draw(tree, request(tree)), tree)).toEqual([
    "p4 0: 0m0b",
    "p3 0: 0t0m 0m0b",
    "p2 3: 0t0b 1m1b",
    "join 3: 0t0b 1t0b",
    "p1 0: 0t0m",
  ])
})

test("nothing is above the head in its own lane if only others continued", () => {
  const tree = picture("p1 > a1 > p2 > a2")
  expect(lines(draw(tree, { ...request(tree), head: tree.row("a1") }), tree)).toEqual([
    "p2 3: 1m1b",
    "join 3: 1t0b",
    "p1 0: 0t0m",
  ])
})

test("a worker draws the same from packed rows that come in pieces", () => {
  const tree = picture("m0 > p1 > a1 > p2 > n1; a1 > p3 > z1 > p4; p3 > b1 > p5; a1 > p6")
  const packed = new PackedTree()
  for (const [from, to] of [
    [0, 5],
    [5, 6],
    [6, tree.size],
  ] as const)
    packed.add(packRows(tree, from, to))
  expect(draw(packed, request(tree))).toEqual(draw(tree, request(tree)))
})

test("as wide as its widest line", () => {
  const one = picture("p1 > a1 > p2")
  expect(draw(one, request(one)).lanes).toBe(1)
  const two = picture("p1 > a1 > p2; a1 > p3; a1 > p4")
  expect(draw(two, request(two)).lanes).toBe(2)
})

test("a tree that has outgrown its first thousand rows keeps them all", () => {
  const packed = new PackedTree()
  const rows = (from: number, many: number) =>
    Uint32Array.from({ length: many * 4 }, (_, i) => (i % 4 === 0 ? from + Math.floor(i / 4) : 0))
  for (let from = 0; from < 5000; from += 900) packed.add(rows(from, 900))
  expect([0, 1, 1023, 1024, 4999].map((row) => packed.parent(row))).toEqual([0, 1, 1023, 1024, 4999])
})

// Pictures of graphs: what is expected is what one sees.
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { graph } from "../../src/history/graph/graph.ts"
import { Rows } from "../../src/history/rows/rows.ts"
import { NONE, path } from "../../src/history/tree/tree.ts"
import { add, drawn, drawTree, idOf, longPath, plant, recordFor } from "./planted.ts"

describe("every branch", () => {
  test("a conversation is a column of rounds, newest on top", () => {
    expect(drawn("P1 > a > b > P2 > c")).toBe(`
● P2 c
○ P1 a b
`)
  })

  test("nothing at all draws nothing but the start, where the head is", () => {
    expect(drawTree(new Rows(), NONE, () => "?")).toBe("\n● start\n")
  })

  test("the path is in the first lane; a branch joins where it left", () => {
    expect(drawn("P1 > a > P2 > b, a > P3 > c")).toBe(`
● P3 c
│ ○ P2 b
├─╯
○ P1 a
`)
  })

  test("the head is marked where it is, and what was left beyond it is above it", () => {
    expect(drawn("P1 > a > P2 > b > P3 > c", { head: "a" })).toBe(`
  ○ P3 c
  ○ P2 b
╭─╯
● P1 a
`)
  })

  test("a head on the first of two states before a prompt is drawn once, below the branch that continued", () => {
    expect(drawn("S1 > S2 > P1 > a", { head: "S1" })).toBe(`
  ○ S2 P1 a
╭─╯
● S1
`)
  })

  test("two branches beyond the head both come down to it", () => {
    expect(drawn("P1 > a > P2 > b, a > P3 > c", { head: "a" })).toBe(`
  ○ P3 c
╭─╯
│ ○ P2 b
├─╯
● P1 a
`)
  })

  test("forks in forks nest to the right, the branch used last in the lane it came from", () => {
    expect(drawn("P1 > a > P2 > b > P3 > c, b > P4 > d, P4 > e, a > P5 > f")).toBe(`
● P5 f
│ ○ e
│ │ ○ d
│ ├─╯
│ ○ P4
│ │ ○ P3 c
│ ├─╯
│ ○ P2 b
├─╯
○ P1 a
`)
  })

  test("a fork within a round cuts its line there", () => {
    expect(drawn("P1 > a > b > c, a > d")).toBe(`
● d
│ ○ b c
├─╯
○ P1 a
`)
  })

  test("a note has its own mark and starts a line", () => {
    expect(drawn("P1 > a > b > c, a > N1 > d > e")).toBe(`
● N1 d e
│ ○ b c
├─╯
○ P1 a
`)
    expect(drawn("P1 > a > b, a > N1 > d > P2", {})).toContain("◇ N1 d")
  })

  test("a compaction has its own mark and starts a line", () => {
    expect(drawn("P1 > a > C1 > b > P2 > c")).toBe(`
● P2 c
◇ C1 b
○ P1 a
`)
  })

  test("two conversations are branches of the start", () => {
    expect(drawn("P1 > a, P2 > b")).toBe(`
● P2 b
│ ○ P1 a
├─╯
○ start
`)
  })

  test("with the head at the start, all that was said is beyond it", () => {
    expect(drawn("P1 > a", { head: "none" })).toBe(`
  ○ P1 a
╭─╯
● start
`)
  })

  test("what comes before the first prompt belongs to its line", () => {
    expect(drawn("S1 > S2 > P1 > a > P2")).toBe(`
● P2
○ S1 S2 P1 a
`)
  })

  test("fifty branches from one entry need two lanes", () => {
    const branches = Array.from({ length: 50 }, (_, i) => `a > P${i + 2}`)
    const picture = drawn(`P1 > a, ${branches.join(", ")}`)
    const lines = picture.trim().split("\n")
    expect(lines.slice(0, 4)).toEqual(["● P51", "│ ○ P50", "├─╯", "│ ○ P49"])
    expect(lines.slice(-2)).toEqual(["├─╯", "○ P1 a"])
    expect(lines).toHaveLength(1 + 49 * 2 + 1)
  })

  test("deeper than there are lanes, branches are folded", () => {
    expect(drawn("P1 > a > P2 > b > P3 > c, b > P4, a > P5", { lanes: 2 })).toBe(`
● P5
│ ○ P4
│ ├─╴ P3…c: 2
│ ○ P2 b
├─╯
○ P1 a
`)
  })
})

describe("the path", () => {
  test("each branch that was left is one line", () => {
    expect(drawn("P1 > a > P2 > b > P3, b > P4, a > P5 > c > P6", { show: "path" })).toBe(`
● P6
○ P5 c
├─╴ P2…P4: 4
○ P1 a
`)
  })

  test("a branch beyond the head starts above it", () => {
    expect(drawn("P1 > a > P2 > b", { show: "path", head: "a" })).toBe(`
╭─╴ P2…b: 2
● P1 a
`)
  })

  test("many branches at one entry are counted, the ones used last are named", () => {
    const picture = drawn("P1, P1 > a, P1 > b, P1 > c, P1 > d, P1 > e", { show: "path", folded: 2 })
    expect(picture).toBe(`
● e
├─╴ d…d: 1
├─╴ c…c: 1
├─╴ 2 branches, 2 messages
○ P1
`)
  })
})

describe("limits", () => {
  test("only so many lines, and how much more there is", () => {
    expect(drawn("P1 > a > P2 > b > P3 > c", { limit: 1 })).toBe(`
● P3 c
⋮ 4 more
`)
    expect(drawn("P1 > a > P2 > b > P3 > c, a > P4", { limit: 2, show: "path" })).toContain("○ P1 a")
  })

  test("a label in the middle of a round ends a line, so that it can be named", () => {
    const { tree, row } = plant("P1 > a > b > c")
    const lines = [...graph(tree, tree.head, { show: "all", stops: (each) => each === row("b") })]
    expect(lines.map((line) => (line.type === "stretch" ? line.stretch.messages : line.type))).toEqual([1, 3])
  })

  test("a path of a million entries is drawn only as far as requested", () => {
    const tree = longPath(1_000_000)
    const lines = [...graph(tree, tree.head, { show: "all", limit: 3 })]
    expect(lines.map((line) => line.type)).toEqual(["stretch", "stretch", "stretch", "rest"])
    expect(lines.at(-1)).toEqual({ type: "rest", entries: 999_970 })
  })

  test("a fork at every entry of a long path overflows nothing", () => {
    const tree = new Rows()
    let number = 0
    for (let i = 0; i < 5_000; i++) {
      const parent = i === 0 ? null : idOf(number - 2)
      add(tree, recordFor("P", number++, parent))
      add(tree, recordFor("a", number++, parent))
    }
    let lines = 0
    for (const line of graph(tree, tree.head, { show: "all" })) if (line.type === "stretch") lines++
    expect(lines).toBeGreaterThan(5_000)
  })
})

test("whatever the tree, every entry is drawn once, children above their parents, the path in the first lane", () => {
  const kinds = fc.constantFrom("P", "a", "a", "N", "C", "S")
  const anyTree = fc.array(fc.tuple(kinds, fc.nat()), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(anyTree, fc.nat(), (entries, headPick) => {
      const tree = new Rows()
      for (const [i, [kind, pick]] of entries.entries()) {
        const parent = pick % (i + 1)
        add(tree, recordFor(kind, i, parent === i ? null : idOf(parent)))
      }
      const head = headPick % tree.size
      const onPath = new Set(path(tree, head))
      const seen: number[] = []
      for (const line of graph(tree, head, { show: "all", lanes: 1000 })) {
        if (line.type !== "stretch") continue
        for (let row = line.stretch.last; ; row = tree.parent(row)) {
          expect(line.lane === 0).toBe(onPath.has(row))
          expect(seen).not.toContain(tree.parent(row))
          seen.push(row)
          if (row === line.stretch.first) break
        }
      }
      expect(seen.toSorted((a, b) => a - b)).toEqual(entries.map((_, i) => i))
    }),
    { numRuns: 300 },
  )
})

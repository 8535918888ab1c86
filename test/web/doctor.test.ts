// What the doctor counts.
import { expect, test } from "vitest"
import { countsOf, nameOf, whyOf } from "../../web/doctor/session-counts.ts"
import { picture } from "../history/picture.ts"

test("prompts and what looks like them, on the path and in all branches", () => {
  const tree = picture("m0 > p1 > a1 > u1 > p2 > a2; a1 > p3")
  const { prompts, userMessages, kinds } = countsOf(tree, tree.head)
  expect([prompts, userMessages]).toEqual([
    { path: 2, all: 3 },
    { path: 2, all: 4 },
  ])
  expect(kinds[0]).toEqual({ name: "prompt", count: 3 })
})

test("each line has a name, and says why it counts", () => {
  const tree = picture("p1 > u1 > z1")
  const told = [0, 1, 2].map((row) => `${nameOf(tree, row)}: ${whyOf(tree, row)}`)
  expect(told).toEqual(["prompt: starts a round", "injection: has the user role, but nobody typed it", "compaction: "])
})

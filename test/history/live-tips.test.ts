import { expect, test } from "vitest"
import { liveTips } from "../../src/history/tree/live-tips.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import { picture } from "./picture.ts"

test.each([
  ["a branch ends where nothing continues it", "p1 > a1 > p2 > a2; a1 > p3 > a3", "a3", "a2 a3"],
  [
    "a branch whose last prompt was never answered ends before it",
    "p1 > a1 > p2 > a2 > p4; a1 > p3 > a3",
    "a3",
    "a2 a3",
  ],
  ["so it does if only marks and settings follow that prompt", "p1 > a1 > p2 > a2 > p4 > c1; a1 > p3", "p3", "a2 p3"],
  ["or if several were not answered", "p1 > a1 > p2 > a2 > p4 > p5; a1 > p3 > a3", "a3", "a2 a3"],
  ["what was said last is there right after a stop", "p1 > a1 > p2 > a2 > p3", "a2", "a2"],
  ["a prompt that was withdrawn in the middle of a branch is no branch", "p1 > a1 > p2; a1 > p3 > a3", "a3", "a3"],
  ["nor are several", "p1 > a1 > p2; a1 > p4; a1 > p3 > a3", "a3", "a3"],
  ["nor is one that was withdrawn before anything was answered", "p1", "", ""],
  ["one that is being answered is", "p1 > a1 > p2", "p2", "p2"],
])("%s", (_, text, head, expected) => {
  const tree = picture(text)
  const tips = liveTips(tree, head === "" ? NONE : tree.row(head))
  expect(tips.map((row) => tree.name(row)).join(" ")).toBe(expected)
})

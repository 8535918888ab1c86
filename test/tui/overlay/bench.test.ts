import { expect, test } from "vitest"
import { overlayFigures } from "../../../bench/tui/overlay.ts"

test("the figures of overlays are measured, each with its floor and limit", () => {
  const figures = overlayFigures(2_000)
  expect(figures.map(({ figure }) => figure)).toMatchInlineSnapshot(`
    [
      "key in a search list",
      "key to frame in the tree, rounds",
      "key to frame in the tree, all entries",
      "slice of a search at p95: what a key waits for",
      "opening the tree; floor: a pass over its rows",
    ]
  `)
  for (const { ours, floor, limit, under } of figures) {
    for (const number of [ours, floor, limit ?? under]) expect(number).toBeGreaterThan(0)
  }
})

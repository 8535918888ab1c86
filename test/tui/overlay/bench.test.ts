import { expect, test } from "vitest"
import { overlayFigures } from "../../../bench/tui/overlay.ts"

test("the figures of overlays are measured, each with its floor and limit", () => {
  const figures = overlayFigures(2_000)
  expect(figures.map(({ figure }) => figure)).toMatchInlineSnapshot(`
    [
      "key in a search list",
      "key in the tree, rounds",
      "key in the tree, all entries",
      "slice of a search at p95, a frame",
      "opening the tree, one pass over its rows",
    ]
  `)
  for (const { ours, floor, ratio, limit } of figures) {
    for (const number of [ours, floor, ratio, limit]) expect(number).toBeGreaterThan(0)
  }
})

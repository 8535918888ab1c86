import { expect, test } from "vitest"
import { overlayFigures } from "../../../bench/tui/overlay.ts"

test("the figures of overlays are measured, each with its floor and limit", () => {
  const figures = overlayFigures(2_000)
  expect(
    figures.map(({ figure, unit, limit, under }) => [figure, unit, limit ?? `under ${under}`].join(", ")),
  ).toMatchInlineSnapshot(`
    [
      "key in a search list, µs, 2",
      "key to frame in the tree, rounds, µs, 2",
      "key to frame in the tree, all entries, µs, 2",
      "slice of a search at p95: what a key waits for, ms, under 33",
      "opening the tree; floor: a pass over its rows, ms, under 33",
    ]
  `)
  for (const { ours, floor } of figures) expect([ours, floor]).toSatisfy(isMeasured)
})

/** Work was timed: no clock that stood still, no minimum of nothing. */
function isMeasured(times: number[]): boolean {
  return times.every((time) => Number.isFinite(time) && time > 0)
}

import { expect, test } from "vitest"
import { leadIn } from "../../src/model/text/lead-in.ts"

test.each([
  ["a short text is as it is", "see the ", "see the "],
  ["a long one begins with a whole word", "we have seen the ", "…seen the "],
  ["lines are joined", "we have\n  seen\nthe ", "…seen the "],
  ["one long word is cut", "aaaaaaaaaaaaaaaaaa", "…aaaaaaaaaaaa"],
])("%s", (_, before, shown) => {
  expect(leadIn(before, 12)).toBe(shown)
})

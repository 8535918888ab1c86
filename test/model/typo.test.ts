import { expect, test } from "vitest"
import { meant } from "../../src/model/text/typo.ts"

test.each([
  ["bakc", "back"],
  ["udno", "undo"],
  ["tre", "tree"],
  ["compacct", "compact"],
  ["Back", "back"],
  ["nothing", undefined],
  ["x", undefined],
])("%s was meant as %s", (typed, word) => {
  expect(meant(typed, ["back", "undo", "tree", "compact", "new"])).toBe(word)
})

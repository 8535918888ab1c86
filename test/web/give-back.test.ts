// Texts that were sent and come back into the draft.
import { expect, test } from "vitest"
import { withText } from "../../web/composer/give-back.ts"

test.each([
  ["into an empty draft", "", "a", [], "a"],
  ["above what was typed since", "typed", "a", [], "a\n\ntyped"],
  ["below what was sent before it", "a", "b", ["a"], "a\n\nb"],
  ["between what was sent before it and what was typed since", "a\n\ntyped", "b", ["a"], "a\n\nb\n\ntyped"],
  ["below all that were sent before it", "a\n\nb", "c", ["a", "b"], "a\n\nb\n\nc"],
  ["above what only begins like something sent before", "about", "b", ["a"], "b\n\nabout"],
  ["not twice", "a\n\nb", "a", [], "a\n\nb"],
  ["not twice, below another", "a\n\nb", "b", ["a"], "a\n\nb"],
])("%s", (_, draft, text, earlier, expected) => {
  expect(withText(draft, text, earlier)).toBe(expected)
})

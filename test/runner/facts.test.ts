import { expect, test } from "vitest"
import { names } from "../../src/runner/backtrack/backtrack.ts"

test("a note names thirty, and counts the rest", () => {
  const all = Array.from({ length: 32 }, (_, i) => `f${i}`)
  expect(names(all.slice(0, 30))).toBe(all.slice(0, 30).join(", "))
  expect(names(all)).toBe(`${all.slice(0, 30).join(", ")} and 2 more`)
})

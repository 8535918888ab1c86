import { expect, test } from "vitest"
import { withCommand } from "../../src/cli/run-retcon.ts"

test.each([
  [["fix the tests"], ["tui", "fix the tests"]],
  [
    ["-c", "fix the tests"],
    ["tui", "-c", "fix the tests"],
  ],
  [
    ["--color", "never", "fix the tests"],
    ["--color", "never", "tui", "fix the tests"],
  ],
  [["bakc"], ["bakc"]],
  [
    ["back", "two words"],
    ["back", "two words"],
  ],
])("%j without a command: a prompt has a space in it, a mistyped command has none", (words, meant) => {
  expect(withCommand(words, true)).toEqual(meant)
})

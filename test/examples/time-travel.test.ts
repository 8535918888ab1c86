import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"

test("the example shows going back, another way, undo, and finding a branch by its label", () => {
  const output = execFileSync(process.execPath, ["--import", "tsx", "examples/time-travel.ts"], { encoding: "utf8" })
  const regular = "  user: Parse the file.\n  assistant: Here is a parser with regular expressions.\n"
  const quotes = `${regular}  user: Now handle quotes.\n  assistant: The expressions grow…\n`
  const machine = `${regular}  user: Use a state machine.\n  assistant: A state machine handles quotes, too.\n`
  expect(output).toBe(
    `two rounds:\n${quotes}` +
      "back in the editor: Now handle quotes.\n" +
      `another way:\n${machine}` +
      "branches: 2\n" +
      `undone twice:\n${quotes}` +
      `reopened:\n${quotes}` +
      `by its label:\n${machine}` +
      "the model would get 4 messages\n",
  )
})

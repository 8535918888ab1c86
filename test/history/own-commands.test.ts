// Whose doing is it, when a command of the agent and one of the person's changed the same file?
import { expect, test } from "vitest"
import type { CallSpan } from "../../src/history/files/call-spans.ts"
import { perhapsOwn } from "../../src/history/files/own-commands.ts"

const at = (minute: number) => `2026-01-01T12:0${minute}:00.000Z`

const call: CallSpan = {
  opened: 1,
  row: 2,
  entry: 0,
  call: "call",
  before: "",
  after: "",
  from: at(3),
  until: at(5),
  whole: true,
  changes: [
    { path: "both.txt", change: "modified" },
    { path: "other.txt", change: "modified", during: "command" },
  ],
}

test.each([
  ["before the call", 1, 2, []],
  ["until the call began", 1, 3, []],
  ["into the call", 1, 4, ["both.txt"]],
  ["within the call", 4, 4, ["both.txt"]],
  ["beyond the call", 4, 9, ["both.txt"]],
  ["around the call", 1, 9, ["both.txt"]],
  ["from the end of the call", 5, 9, []],
  ["after the call", 6, 9, []],
])("a command that ran %s", (_, from, until, expected) => {
  const commands = [{ from: at(from), until: at(until), paths: new Set(["both.txt", "mine.txt"]) }]
  expect(perhapsOwn(call, commands)).toEqual(expected)
  // A call that names its files changed those itself.
  expect(perhapsOwn({ ...call, whole: false }, commands)).toEqual([])
})

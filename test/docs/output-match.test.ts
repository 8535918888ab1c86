import { describe, expect, test } from "vitest"
import { drawDifference, matchOutput, withActualIds } from "./output-match.ts"

const none: ReadonlyMap<string, string> = new Map()
const uuid = (end: string) => `01980000-0000-7000-8000-${end.padStart(12, "0")}`

function matches(expected: string, actual: string): boolean {
  return matchOutput(expected.split("\n"), actual.split("\n"), none) !== undefined
}

describe("what the docs show and what a run prints", () => {
  test.each([
    ["the same text", "a (b) [c] *", "a (b) [c] *"],
    ["another time", "written 2026-03-01 10:00 by you", "written 2027-11-30 23:59 by you"],
    ["another age, with moved columns", "title   just now   3 prompts", "title   12 s ago  3 prompts"],
    ["another duration", "done in 12 ms", "done in 1.3 s"],
    ["other minutes and seconds in a column", "a1  done  0:00", "a1  done  0:12"],
    ["another id", `session ${uuid("aa11bb")}`, `session ${uuid("cc22dd")}`],
    ["the same id twice", "3f2a91 <- 3f2a91", "77b0c4 <- 77b0c4"],
    ["an id and its suffix", `${uuid("3f2a91")} 3f2a91`, `${uuid("77b0c4")} 77b0c4`],
    ["a suffix of letters or digits only in the run", "at 3f2a91", "at 123456"],
    ["any lines for …", "a\n…\nz", "a\nb\nc\nz"],
    ["no line for …", "a\n…\nz", "a\nz"],
  ])("agree: %s", (_name, expected, actual) => expect(matches(expected, actual)).toBe(true))

  test.each([
    ["other words", "3 rounds", "4 rounds"],
    ["another place in a file", "a.ts:3:10", "a.ts:4:10"],
    ["a missing line", "a\nb", "a"],
    ["a line too many", "a", "a\nb"],
    ["one id where the docs show two", "3f2a91 <- 55c0de", "77b0c4 <- 77b0c4"],
    ["two ids where the docs show one", "3f2a91 <- 3f2a91", "77b0c4 <- 55c0de"],
    ["moved columns without a cause", "a   b", "a  b"],
    ["a line missing after …", "a\n…\nz", "a\nb"],
  ])("disagree: %s", (_name, expected, actual) => expect(matches(expected, actual)).toBe(false))
})

test("an id of the docs in a command becomes the id of this run, also when it was seen in full only", () => {
  const ids = new Map([
    ["3f2a91", "77b0c4"],
    [uuid("55c0de"), uuid("1234ab")],
  ])
  expect(withActualIds("retcon goto 3f2a91 && retcon show 55c0de 999aaa", ids)).toBe(
    "retcon goto 77b0c4 && retcon show 1234ab 999aaa",
  )
})

test("a difference shows the lines that agree once, and the others from both sides", () => {
  expect(drawDifference(["a", "b", "d"], ["a", "c", "d"], none)).toBe("    a\n  - b\n  + c\n    d")
})

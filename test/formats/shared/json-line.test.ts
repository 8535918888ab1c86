// The lines that a piece of a file holds.
import { expect, test } from "vitest"
import { linesIn } from "../../../src/formats/shared/json-line.ts"

const PIECE = Buffer.from(
  [
    'cut off","n":0}',
    '{"n":1,"says":"é title"}',
    "",
    '{"n":2}  ',
    "no title",
    '{"n":3,"also":"title"}',
    '{"n":4,"cut',
  ].join("\n"),
)

const numbers = (holding?: string[]) => linesIn(PIECE, holding).map(({ n }) => n)

test("whole lines that are JSON objects are found, in order", () => {
  expect(numbers()).toEqual([1, 2, 3])
})

test("only lines that hold one of the texts, each once, whichever text comes first", () => {
  expect(numbers(["title"])).toEqual([1, 3])
  expect(numbers(["title", "says"])).toEqual([1, 3])
  expect(numbers(['"n":2', "title"])).toEqual([1, 2, 3])
  expect(numbers(["also", "says"])).toEqual([1, 3])
  expect(numbers(["cut"])).toEqual([])
  expect(numbers(["nothing"])).toEqual([])
})

import { expect, test } from "vitest"
import { nearestWord } from "../../../src/model/text/typo.ts"

const WORDS = ["restore", "redo", "resume", "undo", "label", "ls"]

test.each([
  ["undo", "undo"],
  ["unod", "undo"],
  ["udno", "undo"],
  ["restoer", "restore"],
  ["lable", "label"],
  ["reedo", "redo"],
  ["UNDO", "undo"],
  ["lss", "ls"],
  ["sl", "ls"],
  ["purge", undefined],
  ["s", "ls"],
  ["", undefined],
])("%j means %j", (typed, word) => {
  expect(nearestWord(typed, WORDS)).toBe(word)
})

test("two letters in the wrong order are one slip, so they are nearer than two other letters", () => {
  expect(nearestWord("abdc", ["abxy", "abcd"])).toBe("abcd")
  expect(nearestWord("form", ["ford", "from"])).toBe("ford")
  expect(nearestWord("ba", ["bc", "ab"])).toBe("bc")
  expect(nearestWord("abcfed", ["abcdef"])).toBe("abcdef")
})

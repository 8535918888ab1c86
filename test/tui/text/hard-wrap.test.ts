import { expect, test } from "vitest"
import { hardWrap } from "../../../src/tui/text/hard-wrap.ts"

test.each([
  ["quick brown foxes", ["quick ", "brown ", "foxes"]],
  ["größe brown foxes", ["größe ", "brown ", "foxes"]],
  ["größe über brown fox jumps", ["größe über", "brown fox ", "jumps"]],
  ["ten chars. and", ["ten chars.", "and"]],
])("prose is broken between words: %s", (text, pieces) => {
  expect(hardWrap(text, 10)).toEqual(pieces)
})

test.each([
  ["abcdefghijklmno", ["abcdefghij", "klmno"]],
  ["a bcdefghijklmno", ["a bcdefghi", "jklmno"]],
  ["ä bcdefghijklmno", ["ä bcdefghi", "jklmno"]],
  ["    indented.call", ["    indent", "ed.call"]],
  ["        deeper.call", ["        de", "eper.call"]],
])("a long word is broken where the screen ends: %s", (text, pieces) => {
  expect(hardWrap(text, 10)).toEqual(pieces)
})

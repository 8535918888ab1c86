import * as fc from "fast-check"
import { expect, test } from "vitest"
import { widthOf } from "../../../src/model/text/sanitise.ts"
import { pieces, visible } from "../../../src/model/text/visible.ts"

const text = fc.string({ unit: "binary", maxLength: 60 })

test("a broken line has every character of the line, in order, and no piece is wider than the screen", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 30 }), (line, width) => {
      const shown = visible(line)
      const broken = pieces(shown, width)
      expect(broken.join("")).toBe(shown)
      for (const piece of broken) expect(widthOf(piece)).toBeLessThanOrEqual(width)
    }),
  )
})

test("an accent that stands by itself takes no column, so that it stays with its letter", () => {
  expect(pieces("e\u0301".repeat(6), 3)).toEqual(["e\u0301".repeat(3), "e\u0301".repeat(3)])
})

/** The line again, from what can be seen of its pieces: spaces at their ends cannot. */
function seenAgain(broken: readonly string[], width: number): string {
  return broken
    .map((piece, i) => {
      const shown = piece.replace(/ +$/, "")
      const next = broken[i + 1]
      return next === undefined || shown.length === width || next.startsWith(" ") ? shown : `${shown} `
    })
    .join("")
}

test("words are kept whole if one ends nearby, and every space can be inferred from what is visible", () => {
  expect(pieces("git status, with arguments that neither run nor write", 30)).toEqual([
    "git status, with arguments ",
    "that neither run nor write",
  ])
  const words = fc.array(fc.constantFrom("a", "bcd", " ", "   ", "longer-word", "; touch x"), { maxLength: 30 })
  fc.assert(
    fc.property(words, fc.integer({ min: 12, max: 30 }), (all, width) => {
      const line = `$ ${all.join("")}.`
      fc.pre(!/ {12}/.test(line))
      expect(seenAgain(pieces(line, width), width)).toBe(line)
    }),
  )
})

test("nothing that a terminal would obey, hide or reorder is left as it is", () => {
  fc.assert(
    fc.property(text, (line) => {
      expect(visible(line)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u00a0\u2000-\u200a\u2028\u2029]/u)
    }),
  )
})

test.each([
  ["a    b", "a    b"],
  ["ls\u001b[8m; rm x", "ls<U+001B>[8m; rm x"],
  ["rm x\r ls", "rm x<U+000D> ls"],
  ["a\u202eb", "a<U+202E>b"],
  ["sud\u200bo", "sud<U+200B>o"],
  ["a\tb", "a→   b"],
  ["rm\u00a0x", "rm<U+00A0>x"],
  ["naïve 试试", "naïve 试试"],
])("%j is shown as %j", (line, shown) => expect(visible(line)).toBe(shown))

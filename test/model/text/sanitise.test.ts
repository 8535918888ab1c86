import * as fc from "fast-check"
import { expect, test } from "vitest"
import { sanitise, sanitiseLine } from "../../../src/model/text/sanitise.ts"

const cases: [string, string, string][] = [
  ["colours", "a\u001b[1;31mred\u001b[0m b", "ared b"],
  ["8-bit colours", "a\u009b31mred", "ared"],
  ["titles, ended by BEL or ST", "\u001b]0;title\u0007x\u001b]2;title\u001b\\y\u009dz\u009cw", "xyw"],
  ["links", "\u001b]8;;http://x\u001b\\text\u001b]8;;\u001b\\", "text"],
  ["device strings", "\u001bP1$q\u001b\\a\u001b_x\u001b\\b", "ab"],
  ["the start of a string that never ends", "\u001b]0;all the rest", "0;all the rest"],
  ["two-letter sequences", "\u001bca\u001b(Bb", "ab"],
  ["bell, backspace, NUL, DEL", "a\u0007b\bc\0d\u007f", "abcd"],
  ["overrides of direction", "\u202eabc\u202c \u2066x\u2069", "abc x"],
  ["carriage returns", "one\r\ntwo\rthree", "one\ntwo\nthree"],
  ["nothing of plain text", "Grüße,\n\t世界 👩‍👩‍👧 é שלום", "Grüße,\n\t世界 👩‍👩‍👧 é שלום"],
]

for (const [name, text, clean] of cases) {
  test(`takes out ${name}`, () => {
    expect(sanitise(text)).toBe(clean)
  })
}

test("no text keeps a character that controls a terminal", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\u001b", "\u001b[", "\u009b", "\u001b]", "\u0007"),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = sanitise(pieces.join(""))
      expect(text).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u)
      expect(sanitise(text)).toBe(text)
    }),
    { numRuns: 300 },
  )
})

test("a megabyte of openings is taken out at once", () => {
  expect(sanitise("\u001b]".repeat(500_000))).toBe("")
})

test("a line has no breaks", () => {
  expect(sanitiseLine(" one\r\n\ttwo ")).toBe("one two")
})

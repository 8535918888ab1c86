import * as fc from "fast-check"
import { expect, test } from "vitest"
import { clip, widthOf } from "../../../src/model/text/sanitise.ts"

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
/** Some letters join the one before them into one sign on the screen. */
const standAlone = (text: string) => [...graphemes.segment(`正${text}`)].length === Array.from(text).length + 1

test("a text is as wide as its characters one by one, on the fast path and on the slow one", () => {
  const character = fc.integer({ min: 0x20, max: 0x2fff }).map((code) => String.fromCodePoint(code))
  const plain = fc.string({ unit: character.filter((each) => !/[\p{Cc}\p{M}\p{Cf}]/u.test(each)), maxLength: 12 })
  fc.assert(
    fc.property(plain.filter(standAlone), fc.integer({ min: 1, max: 14 }), (text, width) => {
      // A character of two columns sends the whole text the long way.
      expect(widthOf(text)).toBe(widthOf(`正${text}`) - 2)
      expect(widthOf(clip(text, width))).toBeLessThanOrEqual(width)
      if (widthOf(text) <= width) expect(clip(text, width)).toBe(text)
    }),
    { numRuns: 2_000 },
  )
})

// The editor and the Markdown of pi-tui lay out by its own width, everything else by ours: a character for which they
// differ would move the cursor or break a line early.
import { visibleWidth } from "@earendil-works/pi-tui"
import { expect, test } from "vitest"
import { widthOf } from "../../../src/model/text/sanitise.ts"

const isControl = (code: number) => code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code <= 0xdfff)

/** Too many to look at each. */
const ALIKE = /[\p{Ideographic}\p{Script=Hangul}\p{Co}\p{Cn}]/u

/** Up to where characters are for private use. */
const PLANES = [
  [0x20, 0x33fff],
  [0xe0000, 0xe0fff],
] as const

test("every character is as wide for us as for the editor, also one with the mark of an emoji", () => {
  const differ: string[] = []
  for (const [from, to] of PLANES) {
    for (let code = from; code <= to; code++) {
      const character = String.fromCodePoint(code)
      if (isControl(code) || (ALIKE.test(character) && code % 97 !== 0)) continue
      const shown = /\p{Emoji}/u.test(character) ? [character, `${character}\ufe0f`, `${character}🏽`] : [character]
      for (const text of shown) if (widthOf(text) !== visibleWidth(text)) differ.push(text)
    }
  }
  expect(differ).toEqual([])
})

test.each([
  ["a trigram", "☰", 2],
  ["a hexagram", "䷀", 2],
  ["a Hangul filler", "\u3164", 0],
  ["a Tangut component", "\u{18b00}", 2],
  ["a Tai Xuan Jing symbol", "𝌀", 2],
  ["halfwidth kana with a sound mark", "ｶﾞ", 2],
  ["Thai AM", "นำ", 2],
  ["a letter that asks to be an emoji", "a\ufe0f", 1],
  ["a digit without its key", "1\ufe0f", 1],
  ["a key", "1️⃣", 2],
  ["a heart in a text", "❤", 1],
  ["a heart as an emoji", "❤️", 2],
  ["a family", "👩‍👩‍👧‍👦", 2],
  ["a hand with a skin", "👍🏽", 2],
  ["half a flag", "🇩", 2],
  ["a flag", "🇩🇪", 2],
  ["Hangul from its letters", "\u1100\u1161\u11a8", 2],
  ["Devanagari that joins", "क्षि", 1],
])("%s takes the same columns for us as for the editor", (_, text, columns) => {
  expect(widthOf(text)).toBe(columns)
  expect(visibleWidth(text)).toBe(columns)
})

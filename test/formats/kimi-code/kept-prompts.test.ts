// Which of a person's messages outlive a compaction of Kimi Code: the first 2,000 tokens of them and the last 18,000.
import { expect, test } from "vitest"
import { keptOf } from "../../../src/formats/kimi-code/kept-prompts.ts"
import type { Part } from "../../../src/model/record/record.ts"

/** A message of so many tokens: "user" is one of them, and four letters are another. */
const message = (tokens: number, letter = "x"): Part[] => [{ type: "text", text: letter.repeat(4 * (tokens - 1)) }]
const IMAGE: Part = { type: "image", mediaType: "image/png", data: "" }

/** The length of each message that is left; the note with how much was dropped. */
function left(...messages: Part[][]): (number | string)[] {
  return keptOf(messages).map((parts) => {
    const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")
    const dropped = /roughly (\d+) tokens/.exec(text)?.[1]
    return dropped === undefined ? text.length : `dropped ${dropped}`
  })
}

test("up to 20,000 tokens all of them stay", () => {
  expect(left(message(10_000), message(10_000))).toEqual([4 * 9_999, 4 * 9_999])
  expect(left()).toEqual([])
  expect(left(message(10_000), message(10_001))).toContain("dropped 0")
})

test("of more, whole messages stay at both ends, and those between are dropped", () => {
  expect(left(message(2_000), message(5_000), message(18_000))).toEqual([4 * 1_999, "dropped 5000", 4 * 17_999])
})

test("a message that does not fit is cut: its end stays with the last ones, its beginning with the first", () => {
  const [head, note, tail] = left(message(30_000))
  expect([head, tail]).toEqual([4 * 2_000, 4 * 18_000])
  expect(note).toMatch(/^dropped \d+$/)
  const cut = left(message(1_000), message(20_000, "y"), message(9_000, "z"))
  expect(cut).toHaveLength(5)
  expect([cut[0], cut[3], cut[4]]).toEqual([4 * 999, 4 * 9_000, 4 * 8_999])
})

test("other letters are a token each, and are not split; an image is 2,000", () => {
  const emoji = (count: number): Part[] => [{ type: "text", text: "🎉".repeat(count) }]
  expect(left(emoji(19_999))).toEqual([2 * 19_999])
  const [head, , tail] = left(emoji(30_000))
  expect([head, tail]).toEqual([2 * 2_000, 2 * 18_000])
  expect(left([IMAGE], message(17_999))).toHaveLength(2)
  expect(left([IMAGE], message(18_000))).toContain("dropped 2000")
})

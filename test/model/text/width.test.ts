import { describe, expect, test } from "vitest"
import { age, bytes, count } from "../../../src/model/text/amounts.ts"
import { clip, pad, widthOf, wrap } from "../../../src/model/text/sanitise.ts"

describe("how wide a text is", () => {
  const widths: [string, number][] = [
    ["", 0],
    ["plain", 5],
    ["naïve", 5],
    ["nai\u0308ve", 5],
    ["正则", 4],
    ["ﾊﾝｶｸ", 4],
    ["한글", 4],
    ["🎉", 2],
    ["👩‍👩‍👧", 2],
    ["🇩🇪", 2],
    ["❤️", 2],
    ["1️⃣", 2],
    ["a\u200bb", 2],
    ["● ○ ◇ ├─╯ …", 11],
  ]
  for (const [text, width] of widths) test(`${JSON.stringify(text)}: ${width}`, () => expect(widthOf(text)).toBe(width))
})

test("what is cut ends with an ellipsis and is never wider than asked", () => {
  expect(clip("abcdef", 6)).toBe("abcdef")
  expect(clip("abcdef", 5)).toBe("abcd…")
  expect(clip("正则表达式", 10)).toBe("正则表达式")
  expect(clip("正则表达式", 9)).toBe("正则表达…")
  expect(clip("正则表达式", 8)).toBe("正则表…")
  expect(clip("👩‍👩‍👧👩‍👩‍👧", 3)).toBe("👩‍👩‍👧…")
  expect(clip("正", 1)).toBe("…")
  expect(clip("abc", 0)).toBe("")
  expect(pad("正", 4, "left")).toBe("  正")
  expect(pad("abcdef", 4)).toBe("abc…")
})

test("lines are broken at spaces, words only when they are longer than a line", () => {
  expect(wrap("short\n\nlines  stay", 20)).toEqual(["short", "", "lines  stay"])
  expect(wrap("one two three four", 9)).toEqual(["one two", "three", "four"])
  expect(wrap("    if (a) return something", 16)).toEqual(["    if (a)", "    return", "    something"])
  expect(wrap("x".repeat(25), 10)).toEqual(["x".repeat(10), "x".repeat(10), "x".repeat(5)])
  expect(wrap("正则表达式正则表达式", 9)).toEqual(["正则表达", "式正则表", "达式"])
  expect(wrap("\ttab", 20)).toEqual(["    tab"])
})

test("ages are short", () => {
  const now = Date.parse("2026-03-01T12:00:00Z")
  const minutes = (number: number) => age(new Date(now - number * 60_000).toISOString(), now)
  expect([0, 1, 59, 60, 1439, 1440].map(minutes)).toEqual(["now", "1m", "59m", "1h", "23h", "1d"])
  expect([13, 14, 59, 60, 364, 365, 9999].map((days) => minutes(days * 1440))).toEqual([
    "13d",
    "2w",
    "8w",
    "2mo",
    "12mo",
    "1y",
    "27y",
  ])
  expect(age("2027-01-01T00:00:00Z", now)).toBe("now")
  expect(age("never", now)).toBe("?")
})

test("amounts are words", () => {
  expect([count(0, "message"), count(1, "message"), count(1200, "message")]).toEqual([
    "0 messages",
    "1 message",
    "1,200 messages",
  ])
  expect([bytes(0), bytes(999), bytes(1500), bytes(2_340_000), bytes(5e9)]).toEqual([
    "0 B",
    "999 B",
    "2 KB",
    "2.3 MB",
    "5.0 GB",
  ])
})

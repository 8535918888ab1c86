// Lines of a file that others write: whichever way its bytes arrive, the same lines at the same places.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { type ReadBytes, readFromBytes, readLines } from "../../src/foreign/disk/source-file.ts"

interface Found {
  text: string
  offset: number
}

/** `most`: how many bytes a read gives at once. `size`: how long the file was a moment ago. */
function linesOf(text: string, { from = 0, most = Number.POSITIVE_INFINITY, size = Buffer.byteLength(text) } = {}) {
  const bytes = Buffer.from(text)
  const whole = readFromBytes(bytes)
  const read: ReadBytes = (into, at, length, offset) => whole(into, at, Math.min(length, most), offset)
  const lines: Found[] = []
  const end = readLines(read, from, size, {
    line: (buffer, start, stop, offset) => lines.push({ text: buffer.toString("utf8", start, stop), offset }),
    tooLong: () => expect.fail("no line is too long"),
  })
  return { lines, end }
}

test("whole lines are returned, without blank ones; the line ending is not part of a line", () => {
  expect(linesOf("one\n\ntwo\r\n\r\nthree\r\r\n\r")).toEqual({
    lines: [
      { text: "one", offset: 0 },
      { text: "two", offset: 5 },
      { text: "three\r", offset: 12 },
    ],
    end: 20,
  })
})

test("a last line without an ending is returned if nothing that is appended can change it", () => {
  expect(linesOf('a\n{"b":1}')).toEqual({ lines: [expect.anything(), { text: '{"b":1}', offset: 2 }], end: 9 })
  for (const torn of ['{"b":1', "{}}", "12", "[1]", '"x"', "{]}"]) {
    expect(linesOf(`a\n${torn}`)).toEqual({ lines: [{ text: "a", offset: 0 }], end: 2 })
  }
})

test("reading may begin at any line", () => {
  expect(linesOf("one\ntwo\n", { from: 4 })).toEqual({ lines: [{ text: "two", offset: 4 }], end: 8 })
  expect(linesOf("one\n", { from: 4 })).toEqual({ lines: [], end: 4 })
})

test("what was appended meanwhile is left for the next time", () => {
  for (let most = 1; most <= 11; most++) {
    expect(linesOf("one\ntwo\nx\n", { size: 8, most })).toEqual({ lines: linesOf("one\ntwo\n").lines, end: 8 })
  }
})

test("however few bytes arrive at once, the lines are the same", () => {
  const piece = fc.constantFrom("a", "bc", "\n", "\r", "\r\n", "\n\n", "{}", '{"x":"é"}', "long".repeat(40))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), (pieces, most) => {
      const text = pieces.join("")
      expect(linesOf(text, { most })).toEqual(linesOf(text))
    }),
  )
})

test("a line of any length is returned whole, wherever the chunks end", () => {
  const lengths = [262_142, 262_143, 262_144, 262_145, 1, 700_000, 10, 1_300_000]
  const all = lengths.map((length, n) => `${n}${"x".repeat(length)}`)
  for (const most of [Number.POSITIVE_INFINITY, 100_003]) {
    const { lines, end } = linesOf(`${all.join("\n")}\n`, { most })
    expect(lines.map(({ text }) => text.length)).toEqual(all.map((line) => line.length))
    expect(lines.map(({ text }) => text[0])).toEqual(all.map((line) => line[0]))
    expect(end).toBe(all.join("\n").length + 1)
  }
})

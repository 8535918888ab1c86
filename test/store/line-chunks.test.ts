// The lines of a log, piece by piece: none is missed where pieces meet.
import { expect, test } from "vitest"
import { lineChunks, type ReadInto } from "../../src/store/file/folder/line-chunks.ts"

/** Lengths of lines around that of a piece, and of several. */
const LENGTHS = [1, 60_000, 59_999, 3000, 122_879, 122_880, 122_881, 0, 500_000, 7, 130_000, 245_760, 100]

interface Found {
  offset: number
  line: string
}

function linesFound(text: string, most: number, options: { from?: number; to?: number } = {}): Found[] {
  const bytes = Buffer.from(text)
  const read: ReadInto = (into, at, length, offset) =>
    bytes.copy(into, at, offset, Math.min(bytes.length, offset + Math.min(length, most)))
  const found: Found[] = []
  for (const { bytes: chunk, offset } of lineChunks(read, { size: bytes.length, ...options })) {
    for (let at = 0; at < chunk.length; ) {
      const newline = chunk.indexOf(10, at)
      const end = newline === -1 ? chunk.length : newline
      const line = chunk.subarray(at, end).toString()
      if (line.toLowerCase().includes("needle")) found.push({ offset: offset + at, line })
      at = end + 1
    }
  }
  return found
}

test.each([
  { where: "at the end of each", line: (length: number) => `${"x".repeat(length)}nEEdle` },
  { where: "at the beginning of each", line: (length: number) => `needle${"é".repeat(length)}` },
])("a text $where of lines of any length is found, once a line, however the file is read", ({ line }) => {
  const lines = LENGTHS.flatMap((length) => ["nothing", `${line(length)} needle`])
  const expected: Found[] = []
  let offset = 0
  for (const each of lines) {
    if (each !== "nothing") expected.push({ offset, line: each })
    offset += Buffer.byteLength(each) + 1
  }
  const same = (found: Found[]) => JSON.stringify(found) === JSON.stringify(expected)
  for (const end of ["", "\n"]) {
    expect(same(linesFound(lines.join("\n") + end, Number.POSITIVE_INFINITY))).toBe(true)
    expect(same(linesFound(lines.join("\n") + end, 10_007))).toBe(true)
  }
})

test("what does not contain the text has no lines", () => {
  expect(linesFound("need\nle\n".repeat(100_000), Number.POSITIVE_INFINITY)).toEqual([])
})

test.each([1, 2, 7, 64])(
  "wherever a file is cut into pieces of %i bytes, each line is found in the one piece that it begins in",
  (piece) => {
    const text = "needle\nnone\n\na needle that is longer than a piece\nneedle\n\n\nlast needle"
    const pieces: Found[] = []
    for (let from = 0; from < text.length; from += piece) {
      pieces.push(...linesFound(text, 5, { from, to: from + piece }))
    }
    expect(pieces).toEqual(linesFound(text, 1000))
    expect(pieces).toHaveLength(4)
  },
)

test("pieces of a file with long lines have the same lines as the whole file", () => {
  const text = LENGTHS.map((length) => `${"x".repeat(length)} needle\n`).join("nothing\n")
  const whole = linesFound(text, Number.POSITIVE_INFINITY)
  expect(whole).toHaveLength(LENGTHS.length)
  for (const piece of [100_000, 122_880, 122_881, 400_000]) {
    const pieces: Found[] = []
    for (let from = 0; from < text.length; from += piece) {
      pieces.push(...linesFound(text, Number.POSITIVE_INFINITY, { from, to: from + piece }))
    }
    expect(JSON.stringify(pieces) === JSON.stringify(whole)).toBe(true)
  }
})

test("a file that turns out shorter than it was ends the reading", () => {
  const bytes = Buffer.from("needle\nne")
  const read: ReadInto = (into, at, length, offset) =>
    bytes.copy(into, at, offset, Math.min(bytes.length, offset + length))
  expect([...lineChunks(read, { size: 1000 })].map((chunk) => chunk.bytes.toString())).toEqual(["needle\n"])
})

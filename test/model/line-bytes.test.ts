import * as fc from "fast-check"
import { expect, test } from "vitest"
import type { EntryId } from "../../src/model/id.ts"
import { printLines } from "../../src/model/record/line-bytes.ts"
import type { Part } from "../../src/model/record/part.ts"
import type { MessageRecord, WritableRecord } from "../../src/model/record/record.ts"
import { printRecord } from "../../src/model/record/record-print.ts"
import { anyRecord } from "./arbitrary.ts"

function expected(records: readonly WritableRecord[], blank: number): string {
  return "\n".repeat(blank) + records.map((record) => `${printRecord(record)}\n`).join("")
}

function printed(records: readonly WritableRecord[], blank = 0): string {
  const { bytes, lengths } = printLines(records, blank)
  expect(lengths).toEqual(records.map((record) => Buffer.byteLength(printRecord(record))))
  return Buffer.from(bytes).toString("utf8")
}

function message(content: Part[], more: Partial<MessageRecord> = {}): MessageRecord {
  const id = "01890a5d-ac96-774b-bcce-b302099a8057" as EntryId
  return { id, type: "message", parent: null, role: "tool", origin: "tool", at: "2026-01-01", content, ...more }
}

const unit = fc.constantFrom(
  "a",
  "é",
  "→",
  "🚀",
  "\n",
  '"',
  "\\",
  "\t",
  "\u0000",
  "\u001f",
  "\u007f",
  "\u2028",
  "\ud800",
)
const longText = fc.string({ unit, minLength: 240, maxLength: 700 })

test("records are printed as printRecord prints them", () => {
  fc.assert(
    fc.property(fc.array(anyRecord, { maxLength: 4 }), fc.nat(2), (records, blank) => {
      expect(printed(records, blank)).toBe(expected(records, blank))
    }),
    { numRuns: 300 },
  )
})

test("long texts are escaped as JSON escapes them, wherever they stand", () => {
  fc.assert(
    fc.property(longText, longText, (one, other) => {
      const record = message(
        [
          { type: "text", text: one },
          { type: "tool-call", call: "c", name: "Write", input: { content: other } },
          {
            type: "tool-result",
            call: "c",
            output: other,
            media: [{ type: "image", mediaType: "image/png", data: one }],
          },
          { type: "file", mediaType: "text/plain", data: one, name: other },
        ],
        { display: other, meta: { of: one } },
      )
      expect(printed([record])).toBe(expected([record], 0))
    }),
    { numRuns: 100 },
  )
})

test("a text that looks like a hole for another is kept", () => {
  const long = "x".repeat(300)
  const record = message([
    { type: "text", text: "\u0001hole\u0001" },
    { type: "text", text: long },
  ])
  expect(printed([record])).toBe(expected([record], 0))
})

test("what is larger than the room for it is printed all the same", () => {
  const long = message([{ type: "text", text: "\u0001".repeat(32_000) }])
  const records = [long, message([{ type: "tool-call", call: "c", name: "n", input: "y".repeat(2_000_000) }]), long]
  expect(printed(records, 1)).toBe(expected(records, 1))
  expect(printed([long])).toBe(expected([long], 0))
})

// Long texts of a record, shortened for a page.
import { expect, test } from "vitest"
import type { LogRecord } from "../../src/model/record/record.ts"
import { cutRecord } from "../../src/server/routes/cut-record.ts"

const message = (...content: object[]) => ({ type: "message", content }) as unknown as LogRecord

test("texts and outputs keep their beginning, images and files nothing, and each says how long it was", () => {
  const cut = cutRecord(
    message(
      { type: "text", text: "abcdef" },
      { type: "reasoning", text: "abc" },
      { type: "tool-result", output: "abcdef", media: [{ type: "image", data: "AAAAAA" }] },
      { type: "image", data: "AAAAAA" },
      { type: "file", data: "AAA" },
      { type: "tool-call", input: { long: "abcdef" } },
    ),
    3,
  )
  expect(cut).toEqual(
    message(
      { type: "text", text: "abc", cut: 6 },
      { type: "reasoning", text: "abc" },
      { type: "tool-result", output: "abc", cut: 6, media: [{ type: "image", data: "", cut: 6 }] },
      { type: "image", data: "", cut: 6 },
      { type: "file", data: "AAA" },
      { type: "tool-call", input: { long: "abcdef" } },
    ),
  )
  const note = { type: "note", text: "abcdef" } as unknown as LogRecord
  expect(cutRecord(note, 3)).toBe(note)
})

// The preview beside the tree: who, when, and as much of the words as fits.
import { expect, test } from "vitest"
import type { LogRecord, MessageRecord, Part } from "../../../src/model/record/record.ts"
import { previewLines } from "../../../src/tui/overlay/tree/entry-preview.ts"
import { makeTheme } from "../../../src/tui/terminal/theme.ts"

const theme = makeTheme({ colours: false })
const AT = "2026-01-31T12:00:00.000Z"
const NOW = Date.parse(AT) + 3 * 60_000

const shown = (record: LogRecord | undefined, height = 6, width = 30) =>
  previewLines(theme, record, NOW, width, height).map((line) => line.trimEnd())

function message(content: Part[], more: Partial<MessageRecord> = {}): LogRecord {
  const base = { id: "1", type: "message", parent: null, at: AT, role: "user", origin: "prompt", content }
  return { ...base, ...more } as LogRecord
}
const text = (words: string): Part => ({ type: "text", text: words })
const other = (record: object) => ({ id: "1", parent: null, at: AT, ...record }) as LogRecord

test("who said it and when, then the words, broken at the edge", () => {
  expect(shown(message([text("one two three four five six seven")]))).toEqual([
    "you  3m ago",
    "one two three four five six",
    "seven",
  ])
  expect(shown(message([text("hi")], { role: "assistant", origin: "agent" } as never))[0]).toBe("agent  3m ago")
  expect(shown(message([text("hi")], { origin: "steer" }))[0]).toBe("steer  3m ago")
})

test("what does not fit ends with …", () => {
  const lines = message([text("1\n2\n3\n4")])
  expect(shown(lines, 5)).toEqual(["you  3m ago", "1", "2", "3", "4"])
  expect(shown(lines, 4)).toEqual(["you  3m ago", "1", "2", "…"])
  expect(shown(lines, 2)).toEqual(["you  3m ago", "…"])
  expect(shown(lines, 1)).toEqual(["you  3m ago"])
  expect(shown(lines, 0)).toEqual([])
  expect(shown(lines, 3, 0)).toEqual([])
})

test("calls, results, attachments; thinking only where nothing was said", () => {
  const calls: Part[] = [
    { type: "reasoning", text: "Hm." },
    { type: "tool-call", call: "1", name: "Read", input: { path: "a.ts" } },
  ]
  const agent = { role: "assistant", origin: "agent" } as never
  expect(shown(message(calls, agent))).toEqual(["agent  3m ago", "Hm.", "▸ Read a.ts"])
  expect(shown(message([...calls, text("Look:")], agent))).toEqual(["agent  3m ago", "Look:", "▸ Read a.ts"])
  const image: Part = { type: "image", mediaType: "image/png", data: "AAAA" }
  expect(shown(message([text("see"), image, image]))).toEqual(["you  3m ago", "see", "(2 attachments)"])
  const result: Part = { type: "tool-result", call: "1", output: "one\ntwo" }
  expect(shown(message([result], { role: "tool", origin: "tool" } as never)).slice(-2)).toEqual(["one", "two"])
})

test("what is no message says what it is", () => {
  const note = { type: "note", text: "Start again.", facts: ["a.ts exists"], discards: 4 }
  expect(shown(other({ ...note, checkpoint: 2 }))).toEqual(["note, discards 4  3m ago", "Start again.", "a.ts exists"])
  expect(shown(other(note))[0]).toBe("summary, discards 4  3m ago")
  expect(shown(other({ type: "checkpoint", n: 3 }))[0]).toBe("checkpoint 3  3m ago")
  expect(shown(other({ type: "state", key: "todos", value: [1] }))).toEqual(["state todos  3m ago", "[1]"])
  expect(shown(other({ type: "merge", text: "From there." }))).toEqual(["merge  3m ago", "From there."])
  expect(shown(undefined)).toEqual(["This entry cannot be read."])
})

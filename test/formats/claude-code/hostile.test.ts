// Files that are damaged, or made to harm.
import { writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { KIND } from "../../../src/model/record/record.ts"
import { checkpoint, fileOf, prompt, read, readFile, sent, threeRounds, uuid } from "./lines.ts"

const ALL = "u1 a1 u2 a2 u3 a3"

test("lines that are no JSON objects, or have no id, are damage and nothing more", () => {
  const [u1, ...rest] = threeRounds()
  const bad = ["not json", "42", "[]", '"text"', "null", '{"type":"user"}', '{"type":"assistant","uuid":7}']
  const history = read([u1 ?? "", ...bad, "{}", '{"type":"of-tomorrow"}', ...rest])
  expect(sent(history)).toBe(ALL)
  const damaged = Array.from({ length: history.size }, (_, row) => history.kind(row)).filter(
    (kind) => kind === KIND.damaged,
  )
  expect(damaged.length).toBe(bad.length)
})

test("a torn last line, and lines that end as on Windows, change nothing", () => {
  const path = fileOf([])
  const lines = threeRounds().map((line) => JSON.stringify(line))
  writeFileSync(path, `${lines.join("\r\n")}\r\n\r\n{"parentUuid":"${uuid("a3")}","isSidecha`)
  expect(sent(readFile(path))).toBe(ALL)
})

test("fields of wrong types never throw, in the scanner nor in the records", () => {
  const odd = [null, true, 1e308, "x", [], {}, [[]], { type: [] }]
  const fields = [
    "message",
    "parentUuid",
    "isSidechain",
    "timestamp",
    "origin",
    "uuid",
    "attachment",
    "compactMetadata",
    "type",
  ]
  const lines = fields.flatMap((field) =>
    odd.flatMap((value, i) =>
      ["user", "assistant", "attachment", "system", "progress", "last-prompt", "summary"].map((type) => ({
        ...prompt(`${field.slice(0, 2)}${i}${type.slice(0, 2)}`, null),
        type,
        subtype: "compact_boundary",
        leafUuid: value,
        explicit: true,
        [field]: value,
      })),
    ),
  )
  const history = read([...threeRounds(), ...lines])
  for (let row = 0; row < history.size; row++) expect(() => history.record(row)).not.toThrow()
  expect(() => sent(history)).not.toThrow()
})

test("content that is nested deeply is read", () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`
  const line = JSON.stringify(prompt("d", "a3")).replace('"content":"d"', `"content":${deep}`)
  const history = read([...threeRounds(), line])
  expect(() => history.record(6)).not.toThrow()
})

test("very many branches on one parent, and checkpoints on each, take no time that grows with their square", () => {
  const many = Array.from({ length: 8000 }, (_, i) => {
    const id = `bbbbbbbb-bbbb-4bbb-8bbb-${i.toString(16).padStart(12, "0")}`
    return [{ ...prompt("x", "u1", "b"), uuid: id }, checkpoint(id, { explicit: true })]
  }).flat()
  const history = read([...threeRounds(), ...many])
  expect(history.size).toBeGreaterThan(8000)
  expect(sent(history)).toBe("u1 b")
})

test("times out of range are times", () => {
  const line = { ...prompt("u1", null), timestamp: "+999999-99-99" }
  expect(read([line]).record(0)?.at).toBe("1970-01-01T00:00:00.000Z")
})

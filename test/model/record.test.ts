import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { JsonObject } from "../../src/model/json.ts"
import { parseRecord } from "../../src/model/record/record-parse.ts"
import { printLines, printRecord } from "../../src/model/record/record-print.ts"
import { anyId, anyJson, anyRecord, anyRecordOf, WRITABLE_TYPES } from "./arbitrary.ts"

const ID = "01890a5d-ac96-774b-bcce-b302099a8057"
const AT = "2026-01-01T00:00:00.000Z"

describe("every record that is printed is read back as it was", () => {
  test.each(WRITABLE_TYPES)("%s", (type) => {
    fc.assert(
      fc.property(anyRecordOf(type), (record) => {
        const line = printRecord(record)
        const parsed = parseRecord(line)
        expect(parsed).toEqual({ ok: true, value: record })
        if (parsed.ok) expect(printRecord(parsed.value as typeof record)).toBe(line)
      }),
      { numRuns: 60 },
    )
  })
})

test("a record is one line, and starts with what an index needs, in a fixed order", () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      const line = printRecord(record)
      expect(line).not.toMatch(/[\n\r]/)
      const keys = Object.keys(JSON.parse(line) as object)
      const front = record.type === "message" ? ["id", "type", "parent", "role", "origin"] : ["id", "type"]
      if ("parent" in record && record.type !== "message") front.push("parent")
      expect(keys.slice(0, front.length)).toEqual(front)
    }),
    { numRuns: 200 },
  )
})

test("records that are written together are lines in their order, with the bytes of each", () => {
  fc.assert(
    fc.property(fc.array(anyRecord, { maxLength: 4 }), fc.nat(2), (records, newlines) => {
      const { bytes, lengths } = printLines(records, newlines)
      const lines = Buffer.from(bytes).toString("utf8").split("\n")
      expect(lines).toEqual([...Array(newlines).fill(""), ...records.map(printRecord), ""])
      expect(lengths).toEqual(records.map((record) => Buffer.byteLength(printRecord(record))))
    }),
    { numRuns: 100 },
  )
})

test("fields that we do not know are kept when a record is read", () => {
  fc.assert(
    fc.property(anyRecord, anyJson, (record, value) => {
      const line = JSON.stringify({ ...(JSON.parse(printRecord(record)) as JsonObject), hue: value })
      const parsed = parseRecord(line)
      expect(parsed.ok && (parsed.value as unknown as JsonObject).hue).toEqual(value)
    }),
    { numRuns: 100 },
  )
})

test("a record of a newer version is kept as unknown, in the tree when it has a parent", () => {
  const beside = parseRecord(JSON.stringify({ id: ID, type: "hologram", at: AT, hue: 3 }))
  expect(beside).toEqual({ ok: true, value: { id: ID, type: "unknown", was: "hologram", at: AT } })
  const within = parseRecord(JSON.stringify({ id: ID, type: "hologram", parent: null, at: AT }))
  expect(within).toEqual({ ok: true, value: { id: ID, type: "unknown-entry", was: "hologram", parent: null, at: AT } })
})

test("a message with an origin that we do not know is of unknown origin", () => {
  const line = JSON.stringify({
    id: ID,
    type: "message",
    parent: null,
    role: "user",
    origin: "psychic",
    at: AT,
    content: [],
  })
  expect(parseRecord(line)).toMatchObject({ ok: true, value: { origin: "unknown" } })
})

test("a part that we do not know, or of a wrong shape, is kept", () => {
  const content = [{ type: "hologram", x: 1 }, { type: "text" }, { type: "text", text: "a" }, "bare"]
  const line = JSON.stringify({
    id: ID,
    type: "message",
    parent: null,
    role: "user",
    origin: "prompt",
    at: AT,
    content,
  })
  expect(parseRecord(line)).toMatchObject({
    ok: true,
    value: {
      content: [
        { type: "unknown", raw: { type: "hologram", x: 1 } },
        { type: "unknown", raw: { type: "text" } },
        { type: "text", text: "a" },
        { type: "unknown", raw: { value: "bare" } },
      ],
    },
  })
})

describe("a line of a wrong shape is reported as a problem", () => {
  test.each([
    ["", /^not JSON \(.+\)$/],
    ["{", /^not JSON \(.+\)$/],
    ["\u0000\u0000", /^not JSON \(.+\)$/],
    ["[]", /^not a JSON object$/],
    ["null", /^not a JSON object$/],
    ["7", /^not a JSON object$/],
    ["{}", /^"id" is not an id$/],
    [`{"id":"${ID.toUpperCase()}","type":"label","at":""}`, /^"id" is not an id$/],
    [`{"id":"${ID}"}`, /^"type" is missing$/],
    [`{"id":"${ID}","type":"label"}`, /^"at" is missing$/],
    [`{"id":"${ID}","type":"hologram","at":"","parent":5}`, /^"parent" is not an id$/],
    [`{"id":"${ID}","type":"constructor","at":"","parent":5}`, /^"parent" is not an id$/],
  ])("%j", (line, problem) => {
    const parsed = parseRecord(line)
    expect(parsed.ok ? "read" : parsed.problem).toMatch(problem)
  })

  test.each(WRITABLE_TYPES)("a %s record without one of its fields", (type) => {
    const optional = new Set([
      "turn",
      "display",
      "dropped",
      "model",
      "usage",
      "stop",
      "meta",
      "from",
      "checkpoint",
      "tokens",
      "focus",
    ])
    for (const field of ["files", "undoes", "call", "changes"]) optional.add(field)
    if (type === "merge") optional.delete("from")
    fc.assert(
      fc.property(anyRecordOf(type), fc.nat(), (record, pick) => {
        const fields = Object.keys(record).filter(
          (field) => !optional.has(field) && !["id", "type", "at"].includes(field),
        )
        const field = fields[pick % fields.length] ?? ""
        const { [field]: _, ...rest } = JSON.parse(printRecord(record)) as JsonObject
        const parsed = parseRecord(JSON.stringify(rest))
        if (field === "by" && type === "operation") expect(parsed.ok).toBe(false)
        expect(parsed.ok ? "read" : parsed.problem).toContain(`"${field}" of a ${type} record`)
      }),
      { numRuns: 40 },
    )
  })

  test("no value in a field that names an entry makes parsing throw", () => {
    fc.assert(
      fc.property(
        anyRecord,
        anyJson,
        fc.constantFrom("parent", "head", "entry", "from", "content", "id"),
        (record, value, field) => {
          const parsed = parseRecord(JSON.stringify({ ...record, [field]: value }))
          if (!parsed.ok) expect(parsed.problem).toMatch(/^"\w+" /)
        },
      ),
      { numRuns: 200 },
    )
  })
})

test("an id is 36 lower-case characters and nothing else", () => {
  fc.assert(
    fc.property(anyId, (id) => {
      for (const wrong of [`${id} `, id.slice(1), `${id}\n`, `x${id.slice(1)}`]) {
        expect(parseRecord(JSON.stringify({ id: wrong, type: "label", at: AT, entry: ID, name: "" })).ok).toBe(false)
      }
    }),
    { numRuns: 20 },
  )
})

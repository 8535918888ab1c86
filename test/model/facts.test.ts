import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { emptyFacts, FACTS_PREFIX, type Facts, factsOf, quickFacts, slowFacts } from "../../src/model/record/facts.ts"
import { ORIGINS } from "../../src/model/record/origin.ts"
import { KIND } from "../../src/model/record/record.ts"
import { printRecord } from "../../src/model/record/record-print.ts"
import { anyRecord } from "./arbitrary.ts"

const ID = "01890a5d-ac96-774b-bcce-b302099a8057"

/** What the first bytes say, as a scan of a log asks them; undefined when they leave it to the whole line. */
function quick(line: string): Facts | undefined {
  const bytes = Buffer.from(line)
  const facts = emptyFacts()
  const prefix = bytes.subarray(0, FACTS_PREFIX)
  const decided = quickFacts(prefix, 0, Math.min(bytes.length, prefix.length), bytes.at(-1) ?? 0, facts)
  return decided ? facts : undefined
}

function slow(line: string): Facts | string {
  const facts = emptyFacts()
  return slowFacts(line, facts) ?? facts
}

/** Without the words that mean nothing: a parent that is not there. */
function plain(facts: Facts | string | undefined): unknown {
  if (facts === undefined || typeof facts === "string") return facts
  return { ...facts, id: [...facts.id], parent: facts.hasParent ? [...facts.parent] : null }
}

test("the facts of a record are those of its line", () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      const facts = emptyFacts()
      factsOf(record, facts)
      expect(plain(slow(printRecord(record)))).toEqual(plain(facts))
    }),
    { numRuns: 300 },
  )
})

test("the first bytes of a line say what the whole line says", () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      const line = printRecord(record)
      const facts = quick(line)
      const decidable = record.type !== "operation" && !(record.type === "message" && record.origin === "command")
      if (decidable) expect(facts).toBeDefined()
      if (facts !== undefined) expect(plain(facts)).toEqual(plain(slow(line)))
    }),
    { numRuns: 300 },
  )
})

test("facts do not remember the line before", () => {
  fc.assert(
    fc.property(anyRecord, anyRecord, (first, second) => {
      const reused = emptyFacts()
      factsOf(first, reused)
      factsOf(second, reused)
      const fresh = emptyFacts()
      factsOf(second, fresh)
      expect(plain(reused)).toEqual(plain(fresh))
    }),
    { numRuns: 100 },
  )
})

test("bytes that were changed, and still are a record, say the same quickly and slowly", () => {
  const change = fc.tuple(fc.nat(), fc.constantFrom("insert", "replace", "remove"), fc.integer({ min: 32, max: 126 }))
  fc.assert(
    fc.property(anyRecord, fc.array(change, { minLength: 1, maxLength: 2 }), (record, changes) => {
      let line = printRecord(record)
      for (const [place, how, code] of changes) {
        const at = place % Math.min(line.length, 260)
        const byte = String.fromCharCode(code)
        line = line.slice(0, at) + (how === "remove" ? "" : byte) + line.slice(how === "insert" ? at : at + 1)
      }
      const facts = quick(line)
      const whole = slow(line)
      if (facts !== undefined && typeof whole !== "string") expect(plain(facts)).toEqual(plain(whole))
    }),
    { numRuns: 3000 },
  )
})

describe("a line in another form is left to the whole line, or read correctly", () => {
  const body = `"at":"2026-01-01T00:00:00.000Z","content":[]`
  test.each([
    ["a space after a colon", `{"id": "${ID}","type":"message","parent":null,"role":"user","origin":"prompt",${body}}`],
    ["another order", `{"type":"message","id":"${ID}","parent":null,"role":"user","origin":"prompt",${body}}`],
    [
      "an origin with an escape",
      `{"id":"${ID}","type":"message","parent":null,"role":"user","origin":"pro\\u006dpt",${body}}`,
    ],
    ...["s\\u0079stem", "\\u006dodel", "left\\u002dout"].map((key) => [
      `a key with an escape, ${key}`,
      `{"id":"${ID}","type":"state","parent":null,"at":"2026-01-01T00:00:00.000Z","key":"${key}","value":1}`,
    ]),
    [
      "a turn at the end",
      `{"id":"${ID}","type":"message","parent":null,"role":"user","origin":"command",${body},"turn":true}`,
    ],
    [
      "a turn after a space",
      `{"id":"${ID}","type":"message","parent":null,"role":"user","origin":"command", "turn":true,${body}}`,
    ],
    [
      "a turn that is false",
      `{"id":"${ID}","type":"message","parent":null,"role":"user","origin":"command","turn":false,${body}}`,
    ],
    [
      "a parent that is not null",
      `{"id":"${ID}","type":"message","parent":"${ID}","role":"user","origin":"prompt",${body}}`,
    ],
  ])("%s", (_, line) => {
    const facts = quick(line)
    if (facts !== undefined) expect(plain(facts)).toEqual(plain(slow(line)))
    expect(typeof slow(line)).toBe("object")
  })

  /** 31 × 'e' + 'l' = 31 × 'f' + 'M': another word with the same rolling number. */
  test("a type, a role or an origin that only looks like one of ours", () => {
    const type = `{"id":"${ID}","type":"labfM","at":"2026-01-01T00:00:00.000Z","padding":"${"x".repeat(60)}"}`
    expect(plain(quick(type) ?? slow(type))).toEqual(plain(slow(type)))
    expect(slow(type)).toMatchObject({ kind: KIND.unknown })
    const origin = `{"id":"${ID}","type":"message","parent":null,"role":"user","origin":"promqU",${body}}`
    expect(quick(origin) ?? slow(origin)).toMatchObject({ prompt: false, origin: ORIGINS.indexOf("unknown") })
  })
})

test("a line that a crash has cut is never decided by its first bytes alone when it does not end as one", () => {
  fc.assert(
    fc.property(anyRecord, fc.nat(), (record, cut) => {
      const line = printRecord(record)
      const torn = line.slice(0, cut % line.length)
      if (!torn.endsWith("}")) expect(quick(torn)).toBeUndefined()
    }),
    { numRuns: 200 },
  )
})

test("a line torn in its parent and glued to the next is not decided by its first bytes", () => {
  const whole = `{"id":"${ID}","type":"checkpoint","parent":"${ID}","at":"2026-01-01T00:00:00.000Z","n":0}`
  const torn = whole.slice(0, whole.indexOf('","at"'))
  expect(quick(whole)).toBeDefined()
  expect(quick(torn + whole)).toBeUndefined()
})

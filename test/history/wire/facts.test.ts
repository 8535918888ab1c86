import * as fc from "fast-check"
import { expect, test } from "vitest"
import { replay } from "../../../src/history/rows/replay.ts"
import { Rows } from "../../../src/history/rows/rows.ts"
import { readFacts } from "../../../src/history/wire/read-facts.ts"
import { writeFacts } from "../../../src/history/wire/write-facts.ts"
import { RetconError } from "../../../src/model/failure/retcon-error.ts"
import { idWords } from "../../../src/model/id-words.ts"
import { bareFacts, emptyFacts, type MoveFacts } from "../../../src/model/record/facts.ts"
import { ORIGINS, ROLES } from "../../../src/model/record/origin.ts"
import { isEntryKind, KIND, type Kind } from "../../../src/model/record/record.ts"
import { anyCommands, makeStore } from "../../session/new-session.ts"
import { Play } from "../../session/play.ts"
import { picture } from "../picture.ts"
import { carried, columnsOf } from "./carried.ts"

/** Few ids, so that records often name each other, or one that is not there, or have the id of another; some odd ones. */
const anyId = fc.oneof(
  { weight: 9, arbitrary: fc.nat(24).map((n) => `01890a5d-ac96-7000-8000-${n.toString(16).padStart(12, "0")}`) },
  fc.constantFrom(
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "ffffffff-ffff-ffff-ffff-fffffffffffe",
    "01890a5d-0000-7fff-bfff-ffffffffffff",
  ),
)
const anyEnd = fc.option(anyId, { freq: 6 })
const anyMove: fc.Arbitrary<MoveFacts> = fc.record({
  kind: fc.constantFrom("undo", "redo", "undo", "redo", "goto", "back", "backtrack", "newer"),
  from: anyEnd,
  to: anyEnd,
  undoes: fc.option(anyId, { nil: undefined }),
  files: fc.boolean(),
  takes: fc.option(anyId, { nil: undefined, freq: 4 }),
})
const KINDS = Object.values(KIND).filter((kind) => kind !== KIND.amendment)
const anyLine = fc.record({
  kind: fc.oneof(fc.constantFrom<Kind>(KIND.message, KIND.operation), fc.constantFrom<Kind>(...KINDS)),
  id: anyId,
  parent: fc.oneof({ weight: 3, arbitrary: fc.constant("head" as const) }, anyEnd),
  role: fc.nat(ROLES.length - 1),
  origin: fc.nat(ORIGINS.length - 1),
  prompt: fc.boolean(),
  movesHead: fc.oneof(fc.constant(true), fc.boolean()),
  move: anyMove,
  /** An undo or redo of what is on top, from the head: by chance it is rarely one. */
  fits: fc.boolean(),
})

type Line = typeof anyLine extends fc.Arbitrary<infer Value> ? Value : never

function add(rows: Rows, line: Line): void {
  const facts = emptyFacts()
  bareFacts(facts, line.kind)
  idWords(line.id, facts.id)
  rows.standAtEnd()
  const { head, undo, redo } = rows.before
  const none = 0xffffffff
  if (isEntryKind(line.kind)) {
    const parent = line.parent === "head" ? (head === none ? null : rows.id(head)) : line.parent
    facts.hasParent = parent !== null
    if (parent !== null) idWords(parent, facts.parent)
    facts.movesHead = line.movesHead
  }
  if (line.kind === KIND.message) Object.assign(facts, { role: line.role, origin: line.origin, prompt: line.prompt })
  if (line.kind === KIND.state) facts.origin = line.origin
  if (line.kind === KIND.operation) {
    const top = line.move.kind === "undo" ? undo : redo
    facts.move =
      line.fits && top !== none
        ? { ...line.move, from: head === none ? null : rows.id(head), undoes: rows.id(top) }
        : line.move
  }
  replay(rows, facts, { offset: rows.size * 7, length: 5 })
}

test("rows from the wire are the rows that were sent, whatever a log contains", () => {
  fc.assert(
    fc.property(
      fc.array(anyLine, { maxLength: 80 }),
      fc.array(fc.nat(80), { maxLength: 4 }),
      fc.integer({ min: 1, max: 9 }),
      (lines, ends, most) => {
        const rows = new Rows()
        for (const line of lines) add(rows, line)
        const copy = carried(
          rows,
          ends.toSorted((a, b) => a - b),
          most,
        )
        expect(columnsOf(copy)).toEqual(columnsOf(rows))
        expect([copy.tips(), copy.head, copy.branches]).toEqual([rows.tips(), rows.head, rows.branches])
        for (const { id } of lines) expect(copy.rowOf(id)).toBe(rows.rowOf(id))
      },
    ),
    { numRuns: 600 },
  )
})

test("whatever happens to a session, its rows arrive as they are", async () => {
  await fc.assert(
    fc.asyncProperty(anyCommands, async (commands) => {
      const play = await Play.begin(makeStore("memory").store)
      await play.run(commands)
      const history = play.session.history
      expect(history).toBeInstanceOf(Rows)
      expect(columnsOf(carried(history as Rows & typeof history))).toEqual(columnsOf(history as Rows & typeof history))
      await play.session.close()
    }),
    { numRuns: 20 },
  )
})

test("bytes that are not rows are refused, and never mistaken for some", () => {
  const rows = picture("p1 > a1 > p2 > a2; a1 > p3")
  const bytes = writeFacts(rows, 0, rows.size)
  for (const wrong of [
    bytes.subarray(0, -3),
    bytes.subarray(bytes.length - 5),
    Uint8Array.of(KIND.message | 128, 99),
  ]) {
    expect(() => readFacts(new Rows(), wrong)).toThrow(RetconError)
  }
})

test("a row takes about sixteen bytes", () => {
  const rows = picture(Array.from({ length: 500 }, (_, i) => `${i % 2 === 0 ? "p" : "a"}${i}`).join(" > "))
  expect(writeFacts(rows, 0, rows.size).length).toBeLessThan(500 * 16)
})

// A path of a million entries: loops, no recursion, no list handed over as arguments.
import { beforeAll, expect, test } from "vitest"
import { contextRows } from "../../src/history/context/context.ts"
import { planBack } from "../../src/history/plan/plan-back.ts"
import { planUndo } from "../../src/history/plan/plan-undo.ts"
import { replay } from "../../src/history/rows/replay.ts"
import { Rows } from "../../src/history/rows/rows.ts"
import { compare, type History, isOnPath, NONE, path, prompts, type Row } from "../../src/history/tree/tree.ts"
import { bareFacts, emptyFacts } from "../../src/model/record/facts.ts"
import { KIND, type LogRecord } from "../../src/model/record/record.ts"

const MILLION = 1_000_000

class Bare extends Rows implements History {
  record(): LogRecord | undefined {
    return undefined
  }
}

const tree = new Bare()
let other: Row

/** A prompt, then nine other messages, again and again. The last two words of an id are the number of its row. */
function add(parent: Row, at: number): Row {
  facts.id.set([0x01890a5d, 0xac967000, 0x80000000 + at, at])
  bareFacts(facts, KIND.message)
  facts.prompt = at % 10 === 0
  facts.hasParent = parent !== NONE
  facts.parent.set([0x01890a5d, 0xac967000, 0x80000000 + parent, parent])
  return replay(tree, facts, { offset: at * 100, length: 99 }, true)
}
const facts = emptyFacts()

beforeAll(() => {
  for (let at = 0; at < MILLION; at++) add(at === 0 ? NONE : at - 1, at)
  other = add(4, MILLION + 5)
})

test("the path to its end is all of it, in order", () => {
  const rows = path(tree, MILLION - 1)
  expect(rows.length).toBe(MILLION)
  expect(rows.every((row, at) => row === at)).toBe(true)
})

test("its prompts are counted without walking between them", () => {
  expect(prompts(tree, MILLION - 1).length).toBe(MILLION / 10)
  expect(tree.round(MILLION - 1)).toBe(MILLION / 10)
})

test("its end and a branch at its beginning are compared", () => {
  expect(compare(tree, MILLION - 1, other)).toEqual({ common: 4, onlyA: MILLION - 5, onlyB: 1 })
  expect(isOnPath(tree, 4, MILLION - 1)).toBe(true)
  expect(isOnPath(tree, other, MILLION - 1)).toBe(false)
})

test("going back works from its end, by one round and by all", () => {
  expect(planBack(tree, MILLION - 1, 1)).toMatchObject({ plan: { to: MILLION - 11, left: 10 } })
  expect(planBack(tree, MILLION - 1, MILLION / 10 - 1)).toMatchObject({ plan: { to: 9, left: MILLION - 10 } })
  expect(planUndo(tree, tree.head)).toMatchObject({ plan: { to: NONE, left: 6 } })
})

test("a context is made from all of it", () => {
  const { compaction, kept, rest } = contextRows(tree, MILLION - 1)
  expect([compaction, kept.length, rest.length]).toEqual([NONE, 0, MILLION])
})

test("an entry in its middle is found by its id", () => {
  expect(tree.rowOf(tree.id(500_000))).toBe(500_000)
})

// Where Claude Code continues, by its own rule. Measured with the real program: each line of the table is what it sent.
import { expect, test } from "vitest"
import { NONE } from "../../../src/history/tree/tree.ts"
import type { JsonObject } from "../../../src/model/json.ts"
import { KIND } from "../../../src/model/record/record.ts"
import {
  answer,
  attachment,
  checkpoint,
  compaction,
  nameOf,
  prompt,
  read,
  SESSION,
  sent,
  system,
  threeRounds,
  uuid,
} from "./lines.ts"

const NIL = "00000000-0000-0000-0000-000000000000"
const explicit = { explicit: true }
const ALL = "u1 a1 u2 a2 u3 a3"

const CASES: { what: string; lines: JsonObject[]; sends: string }[] = [
  { what: "no checkpoint: the last row", lines: threeRounds(), sends: ALL },
  {
    what: "a summary moves nothing",
    lines: [...threeRounds(), { type: "summary", summary: "s", leafUuid: uuid("a2") }],
    sends: ALL,
  },
  { what: "a checkpoint that a newer row stands below", lines: [...threeRounds(), checkpoint("a2")], sends: ALL },
  { what: "an explicit one", lines: [...threeRounds(), checkpoint("a2", explicit)], sends: "u1 a1 u2 a2" },
  { what: "an explicit one before everything", lines: [...threeRounds(), checkpoint(null, explicit)], sends: "" },
  { what: "null that is not explicit", lines: [...threeRounds(), checkpoint(null)], sends: ALL },
  {
    what: "an explicit one on an entry that is not there",
    lines: [...threeRounds(), checkpoint(NIL, explicit)],
    sends: ALL,
  },
  {
    what: "an explicit one, then titles and modes",
    lines: [
      ...threeRounds(),
      checkpoint("a2", explicit),
      { type: "mode", mode: "normal" },
      { type: "custom-title", customTitle: "t", sessionId: SESSION },
    ],
    sends: "u1 a1 u2 a2",
  },
  {
    what: "a later one elsewhere",
    lines: [...threeRounds(), checkpoint("a2", explicit), checkpoint("a3")],
    sends: ALL,
  },
  {
    what: "a later row below the cut",
    lines: [...threeRounds(), checkpoint("a2", explicit), system("s", "a3")],
    sends: ALL,
  },
  {
    what: "the same one again, not explicit",
    lines: [...threeRounds(), checkpoint("a2", explicit), checkpoint("a2")],
    sends: "u1 a1 u2 a2",
  },
  {
    what: "forward again",
    lines: [...threeRounds(), checkpoint("a1", explicit), checkpoint("a3", explicit)],
    sends: ALL,
  },
  {
    what: "a branch that no checkpoint names",
    lines: [...threeRounds(), checkpoint("a3"), prompt("b", "a1"), answer("c", "b")],
    sends: ALL,
  },
  {
    what: "a branch, when there is no checkpoint",
    lines: [...threeRounds(), prompt("b", "a1"), answer("c", "b")],
    sends: "u1 a1 b c",
  },
  {
    what: "a branch with its checkpoint",
    lines: [...threeRounds(), checkpoint("a3"), prompt("b", "a1"), checkpoint("b")],
    sends: "u1 a1 b",
  },
  {
    what: "a branch, and the old checkpoint withdrawn",
    lines: [...threeRounds(), checkpoint("a3"), prompt("b", "a1"), checkpoint(NIL, explicit), answer("c", "b")],
    sends: "u1 a1 b c",
  },
  {
    what: "a checkpoint that is written before its row",
    lines: [...threeRounds(), checkpoint("a4"), prompt("u4", "a3"), answer("a4", "u4")],
    sends: `${ALL} u4 a4`,
  },
  {
    what: "behind a compaction that keeps an answer",
    lines: [...threeRounds(), ...compaction("a3", ["a3"]), prompt("u4", "sum")],
    sends: "SUMMARY a3 u4",
  },
  {
    what: "an explicit one before a compaction that keeps something",
    lines: [...threeRounds(), ...compaction("a3", ["a3"]), prompt("u4", "sum"), checkpoint("a1", explicit)],
    sends: "SUMMARY a3 u4",
  },
  {
    what: "an explicit one before a compaction that keeps nothing",
    lines: [...threeRounds(), ...compaction("a3"), prompt("u4", "sum"), checkpoint("a1", explicit)],
    sends: "u1 a1",
  },
  {
    what: "a rewind in the terminal behind a compaction",
    lines: [...threeRounds(), ...compaction("a3", ["a3"]), prompt("u4", "a1"), checkpoint(NIL, explicit)],
    sends: "SUMMARY a3 u4",
  },
]

test.each(CASES)("$what: sends $sends", ({ lines, sends }) => {
  expect(sent(read(lines))).toBe(sends)
})

test("a rewind is an operation in the tree, with where it came from and went to", () => {
  const history = read([...threeRounds(), checkpoint("a2", explicit)])
  const last = history.size - 1
  expect(history.kind(last)).toBe(KIND.operation)
  expect(history.record(last)).toMatchObject({ kind: "goto", head: { from: uuid("a3"), to: uuid("a2") } })
  expect(history.record(last)?.at).toBe(history.record(last - 1)?.at)
})

test("a checkpoint that changes nothing is no operation", () => {
  expect(read([...threeRounds(), checkpoint("a3"), checkpoint("a3", explicit)]).size).toBe(6)
})

test("a move of ours is the operation whose id its checkpoint has, and what follows hangs where it went", () => {
  const ours = { ...explicit, retcon: { operation: uuid("mark") } }
  const history = read([...threeRounds(), checkpoint("a2", ours), prompt("n", "a2")])
  expect(history.record(6)).toMatchObject({
    type: "operation",
    id: uuid("mark"),
    head: { from: uuid("a3"), to: uuid("a2") },
  })
  expect(sent(history)).toBe("u1 a1 u2 a2 n")
})

test("what a hook attaches before the first prompt is above it", () => {
  const hook = attachment("h", null, { type: "hook_additional_context", content: ["from the hook"] })
  const history = read([hook, prompt("u1", "h"), checkpoint(null, explicit)])
  expect(history.head).toBe(NONE)
  expect(nameOf(history, history.parent(1))).toBe("h")
})

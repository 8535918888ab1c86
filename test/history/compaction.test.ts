import { describe, expect, test } from "vitest"
import { COMPACTION_LIMITS, type CompactionLimits, planCompaction } from "../../src/history/plan-compact.ts"
import { type Body, calls, message, type Picture, picture, results } from "./picture.ts"

/** Every message is one token, so that limits can be counted. */
const counted = (limits: Partial<CompactionLimits> = {}): CompactionLimits => ({
  tokens: (text) => (text === "" ? 0 : 1),
  keepRounds: 1,
  keepTokens: 100,
  promptTokens: 100,
  ...limits,
})

function plan(tree: Picture, limits: CompactionLimits = counted()) {
  const planned = planCompaction(tree, tree.head, limits)
  if (!planned.ok) return planned.failure.code
  const { replaced, keepFrom, prompts } = planned.plan
  return { replaced: tree.names(replaced), keepFrom: tree.name(keepFrom), prompts }
}

describe("the tail that stays", () => {
  test("is the last round, when it fits", () => {
    expect(plan(picture("p1 > a1 > p2 > a2 > p3 > a3"))).toEqual({
      replaced: "p1 > a1 > p2 > a2",
      keepFrom: "p3",
      prompts: ["p1", "p2"],
    })
  })

  test("is as many rounds as asked", () => {
    const tree = picture("p1 > a1 > p2 > a2 > p3 > a3")
    expect(plan(tree, counted({ keepRounds: 2 }))).toMatchObject({ keepFrom: "p2", prompts: ["p1"] })
  })

  test("is shorter when the round is too large", () => {
    const tree = picture("p1 > a1 > p2 > a2 > b2 > d2")
    expect(plan(tree, counted({ keepTokens: 2 }))).toMatchObject({ keepFrom: "b2", prompts: ["p1", "p2"] })
  })

  test("is nothing when not even the last message fits", () => {
    const tree = picture("p1 > a1")
    expect(plan(tree, counted({ keepTokens: 0 }))).toEqual({
      replaced: "p1 > a1",
      keepFrom: "(nothing)",
      prompts: ["p1"],
    })
  })

  test("never begins with a result, which would part it from its call", () => {
    const bodies = { a1: calls("x", "y"), t1: results("x"), t2: results("y") }
    const tree = picture("p1 > a1 > t1 > t2 > a2", bodies)
    expect(plan(tree, counted({ keepTokens: 3 }))).toMatchObject({ keepFrom: "a2" })
    expect(plan(tree, counted({ keepTokens: 4 }))).toMatchObject({ keepFrom: "a1" })
  })
})

test("prompts are kept word for word within their limit, the newest first to be kept, oldest first in order", () => {
  const tree = picture("p1 > a1 > p2 > a2 > p3 > a3 > p4")
  expect(plan(tree, counted({ promptTokens: 2 }))).toMatchObject({ prompts: ["p2", "p3"] })
})

test("reminders are not among the prompts that are kept", () => {
  const tree = picture("p1 > u1 > a1 > p2 > a2", { u1: message("user", "injection", "be brief") })
  expect(plan(tree)).toMatchObject({ prompts: ["p1"] })
})

describe("nothing to compact", () => {
  test.each([
    ["an empty conversation", ""],
    ["one round that fits", "p1 > a1"],
    ["state alone before it", "s1 > c0 > p1 > a1"],
    ["right after a compaction", "p1 > a1 > p2 > z1"],
    ["a round after a compaction", "p1 > a1 > z1 > p2 > a2"],
  ])("%s", (_, text) => {
    expect(plan(picture(text))).toBe("nothing-to-compact")
  })
})

describe("compacting again", () => {
  const kept = (name: string): Body => ({
    type: "compaction",
    summary: "first",
    prompts: ["p1"],
    keepFrom: picture("p1 > a1 > p2 > a2").idOf(name),
    cause: "person",
  })

  test("replaces the former summary, the tail that it kept and what came since", () => {
    const tree = picture("p1 > a1 > p2 > a2 > z1 > p3 > a3 > p4 > a4", { z1: kept("p2") })
    expect(plan(tree)).toEqual({
      replaced: "z1 > p2 > a2 > p3 > a3",
      keepFrom: "p4",
      prompts: ["p1", "p2", "p3"],
    })
  })

  test("is refused while only the former tail could be replaced", () => {
    const tree = picture("p1 > a1 > p2 > a2 > z1 > p3 > a3", { z1: kept("p2") })
    expect(plan(tree)).toBe("nothing-to-compact")
  })
})

test("the limits that hold when nobody says otherwise count about four characters to a token", () => {
  expect(COMPACTION_LIMITS.tokens("12345678")).toBe(2)
  expect(COMPACTION_LIMITS.tokens("")).toBe(0)
})

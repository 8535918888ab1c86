import { describe, expect, test } from "vitest"
import { COMPACTION_LIMITS, type CompactionLimits, planCompaction } from "../../src/history/plan/plan-compact.ts"
import { type Body, calls, message, type Picture, picture, results } from "./picture.ts"

/** Every message is one token, so that limits can be counted. */
const counted = (limits: Partial<CompactionLimits> = {}): CompactionLimits => ({
  ...COMPACTION_LIMITS,
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

  test("never begins with a result, which would separate it from its call", () => {
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

describe("what the person said", () => {
  const long = (name: string) => message("user", "prompt", `${name} ${"x".repeat(999)}`)
  const byLetter = (more: Partial<CompactionLimits>): CompactionLimits =>
    counted({
      tokens: (text) => text.length,
      keepTokens: 0,
      shorten: (text, most) => `${text.slice(0, 2)}~${most}`,
      ...more,
    })

  test("is kept of what was typed while the agent ran, too", () => {
    const tree = picture("p1 > a1 > u1 > a2 > p2 > a3", { u1: message("user", "steer", "never push") })
    expect(plan(tree)).toMatchObject({ prompts: ["p1", "never push"] })
  })

  test("always includes the prompt being worked on: it has its own limit, whatever the others take", () => {
    const tree = picture("p1 > a1 > p2 > a2 > u1 > a3", { p2: long("p2"), u1: message("user", "steer", "and tests") })
    expect(plan(tree, byLetter({ promptTokens: 100 }))).toMatchObject({
      prompts: ["p1", `p2 ${"x".repeat(999)}`, "and tests"],
    })
    expect(plan(tree, byLetter({ promptTokens: 100, taskTokens: 1002 }))).toMatchObject({
      prompts: ["p1", `p2 ${"x".repeat(999)}`, "and tests"],
    })
    expect(plan(tree, byLetter({ promptTokens: 100, taskTokens: 500 }))).toMatchObject({
      prompts: ["p1", "p2~500", "and tests"],
    })
  })

  test("is shortened where it does not fit, instead of being left out", () => {
    const tree = picture("p1 > a1 > p2 > a2 > p3 > a3", { p1: long("p1") })
    expect(plan(tree, byLetter({ promptTokens: 100 }))).toMatchObject({ prompts: ["p1~98", "p2", "p3"] })
    expect(plan(tree, byLetter({ promptTokens: 40 }))).toMatchObject({ prompts: ["p2", "p3"] })
  })

  test("is kept again from the path when it is compacted again in the same round", () => {
    const z1: Body = { type: "compaction", summary: "s", prompts: ["p1"], keepFrom: null, cause: "overflow" }
    expect(plan(picture("p1 > a1 > z1 > a2 > a3", { z1 }), counted({ keepTokens: 1 }))).toMatchObject({
      prompts: ["p1"],
    })
  })
})

test("asked to compact again, it replaces what the last one kept though nothing came after it", () => {
  const keepFrom = picture("p1 > a1 > p2 > a2").idOf("p2")
  const z1: Body = { type: "compaction", summary: "s", prompts: ["p1"], keepFrom, cause: "overflow" }
  const tree = picture("p1 > a1 > p2 > a2 > z1", { z1 })
  expect(plan(tree)).toBe("nothing-to-compact")
  expect(plan(tree, counted({ again: true, keepRounds: 0 }))).toEqual({
    replaced: "z1 > p2 > a2",
    keepFrom: "(nothing)",
    prompts: ["p1", "p2"],
  })
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

test("the default limits count tokens", () => {
  expect(COMPACTION_LIMITS.tokens("Go back to the prompt before.")).toBe(7)
  expect(COMPACTION_LIMITS.tokens("")).toBe(0)
})

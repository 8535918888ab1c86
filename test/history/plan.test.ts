import { describe, expect, test } from "vitest"
import type { Planned } from "../../src/history/plan/plan.ts"
import { planBack, planRetract } from "../../src/history/plan/plan-back.ts"
import { planBacktrack } from "../../src/history/plan/plan-backtrack.ts"
import { planGoto } from "../../src/history/plan/plan-goto.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import { draw, moves, type Picture, picture } from "./picture.ts"

/** Carries a plan out and draws the tree, or says why it was refused. */
function after(tree: Picture, planned: Planned): string {
  if (!planned.ok) return planned.failure.code
  tree.carryOut(planned)
  return draw(tree)
}

describe("back", () => {
  test("says how many rounds there are if it cannot go back", () => {
    const [one, none] = [picture("p1 > a1"), picture("")]
    expect(planBack(one, one.head, 1)).toEqual({ ok: false, failure: { code: "at-start", rounds: 1 } })
    expect(planBack(none, none.head, 1)).toEqual({ ok: false, failure: { code: "at-start", rounds: 0 } })
    expect(planRetract(none, none.head)).toEqual({ ok: false, failure: { code: "at-start", rounds: 0 } })
    const two = picture("p1 > a1 > p2")
    expect(planBack(two, two.head, 2)).toEqual({
      ok: false,
      failure: { code: "too-few-rounds", asked: 2, possible: 1 },
    })
  })

  test.each([
    ["to the end of the round before", "p1 > a1 > p2 > a2", 1, "p1 > a1 (head) > p2 > a2"],
    ["two rounds", "p1 > a1 > p2 > a2 > p3 > a3", 2, "p1 > a1 (head) > p2 > a2 > p3 > a3"],
    ["from a prompt that has no answer", "p1 > a1 > p2", 1, "p1 > a1 (head) > p2"],
    ["over reminders, which start no round", "p1 > a1 > p2 > a2 > u1 > b2", 1, "p1 > a1 (head) > p2 > a2 > u1 > b2"],
    ["behind a compaction", "p1 > a1 > p2 > z1 > a2", 1, "p1 > a1 (head) > p2 > z1 > a2"],
    ["on the branch where we stand", "p1 > a1 > p2 > a2; a1 > p3 > a3", 1, "p1 > a1 (head) > p2 > a2; a1 > p3 > a3"],
    ["in the first round it is refused", "p1 > a1", 1, "at-start"],
    ["in the first round, after a system message", "m0 > p1 > a1", 1, "at-start"],
    ["before any prompt", "m0", 1, "at-start"],
    ["in an empty conversation", "", 1, "at-start"],
    ["further than there are rounds", "p1 > a1 > p2", 99, "too-few-rounds"],
    ["exactly as far as the first prompt", "p1 > a1 > p2", 2, "too-few-rounds"],
    ["no rounds", "p1 > a1 > p2", 0, "invalid"],
    ["less than no rounds", "p1 > a1 > p2", -1, "invalid"],
    ["half a round", "p1 > a1 > p2", 1.5, "invalid"],
    ["no number", "p1 > a1 > p2", Number.NaN, "invalid"],
    ["more than any number", "p1 > a1 > p2", Number.POSITIVE_INFINITY, "invalid"],
  ])("%s", (_, text, rounds, expected) => {
    const tree = picture(text)
    expect(after(tree, planBack(tree, tree.head, rounds))).toBe(expected)
  })

  test("gives the prompt back and says what is left", () => {
    const tree = picture("p1 > a1 > p2 > a2 > p3 > a3")
    const plan = tree.carryOut(planBack(tree, tree.head, 2))
    expect([tree.name(plan.prompt), plan.left, plan.regained]).toEqual(["p2", 4, 0])
  })

  test("a refusal says how many rounds are possible", () => {
    const tree = picture("p1 > a1 > p2 > p3")
    expect(planBack(tree, tree.head, 99)).toEqual({
      ok: false,
      failure: { code: "too-few-rounds", asked: 99, possible: 2 },
    })
  })

  test("a plan changes nothing by itself", () => {
    const tree = picture("p1 > a1 > p2")
    planBack(tree, tree.head, 1)
    expect([draw(tree), moves(tree)]).toEqual(["p1 > a1 > p2 (head)", 0])
  })
})

describe("goto", () => {
  const text = "p1 > a1 > p2 > a2; a1 > p3 > a3"
  test.each([
    ["an answer", "a2", "p1 > a1 > p2 > a2 (head); a1 > p3 > a3"],
    ["a prompt: before it, so that it can be rewritten", "p2", "p1 > a1 (head) > p2 > a2; a1 > p3 > a3"],
    ["the first prompt: to the empty conversation", "p1", "(head) p1 > a1 > p2 > a2; a1 > p3 > a3"],
  ])("%s", (_, name, expected) => {
    const tree = picture(text)
    expect(after(tree, planGoto(tree, tree.head, tree.row(name)))).toBe(expected)
  })

  test("another branch says what is left and what comes back", () => {
    const tree = picture(text)
    const plan = tree.carryOut(planGoto(tree, tree.head, tree.row("a2")))
    expect([plan.left, plan.regained, plan.prompt]).toEqual([2, 2, NONE])
  })

  test("a record that is not an entry is refused", () => {
    const tree = picture(text)
    tree.carryOut(planBack(tree, tree.head, 1))
    expect(planGoto(tree, tree.head, tree.size - 1)).toMatchObject({ ok: false, failure: { code: "not-found" } })
  })

  test("the start, after which the next prompt begins a separate conversation", () => {
    const tree = picture(text)
    tree.carryOut(planGoto(tree, tree.head, tree.row("p1")))
    tree.append("p9")
    expect(draw(tree)).toBe("p1 > a1 > p2 > a2; a1 > p3 > a3; p9 (head)")
  })
})

describe("retract", () => {
  test.each([
    ["takes the last prompt off", "p1 > a1 > p2", "p1 > a1 (head) > p2"],
    ["takes off what was injected with it", "p1 > a1 > p2 > u1 > c0", "p1 > a1 (head) > p2 > u1 > c0"],
    ["leaves an empty conversation when it was the first", "p1", "(head) p1"],
    ["keeps what stood before the first prompt", "m0 > p1", "m0 (head) > p1"],
    ["has nothing to take before the first prompt", "m0", "at-start"],
    ["has nothing to take in an empty conversation", "", "at-start"],
  ])("%s", (_, text, expected) => {
    const tree = picture(text)
    expect(after(tree, planRetract(tree, tree.head))).toBe(expected)
  })
})

describe("backtrack", () => {
  const possible = (text: string, n: number) => {
    const tree = picture(text)
    const planned = planBacktrack(tree, tree.head, n)
    if (!planned.ok) return planned.failure
    const { checkpoint, discards, prompt } = planned.plan
    return { at: tree.name(checkpoint), discards, prompt: tree.name(prompt) }
  }

  test("keeps the prompt that owns the checkpoint, and counts the messages it discards", () => {
    expect(possible("p1 > c0 > a1 > s1 > u1 > c1 > a2", 0)).toEqual({ at: "c0", discards: 3, prompt: "p1" })
    expect(possible("p1 > c0 > a1 > u1 > c1 > a2", 1)).toEqual({ at: "c1", discards: 1, prompt: "p1" })
  })

  test.each([-1, 2, 99, 0.5, Number.NaN])(
    "to a checkpoint that does not exist, %d, is refused with those that do",
    (n) => {
      expect(possible("p1 > c0 > a1 > c1 > a2", n)).toEqual({
        code: "not-found",
        what: "checkpoint",
        name: String(n),
        possible: ["0", "1"],
      })
    },
  )

  test("only checkpoints of this path, after its last compaction, can be named", () => {
    expect(possible("p1 > c0 > a1 > z1 > c1 > a2", 0)).toMatchObject({ code: "not-found", possible: ["1"] })
    expect(possible("p1 > c0 > a1 > c1 > a2; a1 > a3", 1)).toMatchObject({ code: "not-found", possible: ["0"] })
  })

  test("text that looks like a marker is no checkpoint", () => {
    const marker = {
      type: "message" as const,
      role: "user",
      origin: "tool",
      content: [{ type: "text", text: "<system>Checkpoint 7</system>" }],
    }
    const tree = picture("p1 > u1", { u1: marker })
    expect(planBacktrack(tree, tree.head, 7).ok).toBe(false)
  })
})

// Two branches beside each other: where they part, and what was said and spent on each since.
import { describe, expect, test } from "vitest"
import { type BranchFacts, branchFacts, partingOf } from "../../src/history/compare/branch-facts.ts"
import { changesTold, groupFiles } from "../../src/history/compare/branch-files.ts"
import type { CallSpan } from "../../src/history/files/call-spans.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import type { RecordId } from "../../src/model/id.ts"
import { calls, message, Picture, picture } from "./picture.ts"

const tree = picture("p1 > a1 > p2 > a2; a1 > p3; p4 > a4")
const end = (of: Picture, name: string) => ({ history: of, row: of.row(name) })

describe("where two branches part", () => {
  test.each([
    ["a2", "p3", "a1"],
    ["a2", "a1", "a1"],
    ["p3", "p3", "p3"],
    ["a2", "a4", "(nothing)"],
  ])("%s and %s: %s", (a, b, common) => {
    const parting = (one: string, other: string) => partingOf(end(tree, one), end(tree, other))?.a ?? NONE
    expect([tree.name(parting(a, b)), tree.name(parting(b, a))]).toEqual([common, common])
  })

  test("a session and its copy part at the last entry that both have", () => {
    const copy = picture("p1 > a1 > p2")
    const found = (name: string) => {
      const { a, b } = partingOf(end(tree, name), end(copy, "p2")) ?? { a: NONE, b: NONE }
      return [tree.name(a), copy.name(b)]
    }
    expect([found("a2"), found("p3")]).toEqual([
      ["p2", "p2"],
      ["a1", "a1"],
    ])
  })

  test("sessions without an entry in common never met", () => {
    class Other extends Picture {
      override nextId(): RecordId {
        return super.nextId().replace("7000", "7fff") as RecordId
      }
    }
    expect(partingOf(end(tree, "a2"), end(new Other("p1 > a1"), "a1"))).toBeUndefined()
  })
})

describe("what is counted of a branch", () => {
  const spent = (output: number, model: string) => ({ usage: { input: 10, cacheRead: 5, output }, model })
  const bodies = {
    p2: message("user", "prompt", "Fix the parser"),
    k2: { ...calls("one", "two"), ...spent(3, "known") },
    a2: { ...message("assistant", "agent", "It is fixed."), ...spent(4, "known") },
    a3: { ...message("assistant", "agent", " "), ...spent(5, "gpt-9") },
    z1: {
      type: "compaction" as const,
      summary: "",
      prompts: [],
      keepFrom: null,
      cause: "person",
      ...spent(2, "known"),
    },
  }
  const branch = picture("p1 > a1 > p2 > k2 > a2 > z1 > a3", bodies)

  function facts(tip: string, since: string): BranchFacts {
    const work = branchFacts(end(branch, tip), branch.row(since), ({ output = 0 }, model) =>
      model === "known" ? output : undefined,
    )
    let step = work.next()
    while (step.done !== true) step = work.next()
    return step.value
  }

  test("prompts, steps, calls, tokens and cost, and the last thing that the agent said", () => {
    expect(facts("a3", "a1")).toMatchObject({
      tip: branch.idOf("a3"),
      entries: 5,
      within: false,
      messages: 4,
      rounds: 1,
      prompts: [{ entry: branch.idOf("p2"), text: "Fix the parser" }],
      steps: 3,
      calls: 2,
      read: 60,
      written: 14,
      cost: 9,
      unpriced: ["gpt-9"],
      answer: { entry: branch.idOf("a2"), text: "It is fixed." },
    })
  })

  test("a branch may go on in the middle of a round, or have nothing of its own", () => {
    expect(facts("a3", "k2")).toMatchObject({ within: true, rounds: 0, prompts: [], steps: 2 })
    expect(facts("a1", "a1")).toMatchObject({ entries: 0, within: false, took: 0, answer: null })
  })
})

describe("files", () => {
  const span = (...changes: [string, string][]) =>
    ({ changes: changes.map(([path, change]) => ({ path, change })) }) as unknown as CallSpan

  test("are in one of five groups, sorted by path", () => {
    const [a, b] = [
      changesTold([span(["x", "added"], ["same", "modified"], ["apart", "modified"]), span(["x", "modified"])]),
      changesTold([span(["same", "modified"], ["apart", "deleted"], ["y", "added"], ["dark", "modified"])]),
    ]
    a.set("dark", { change: "modified" })
    const known = new Map([
      ["same", false],
      ["apart", true],
    ])
    expect(groupFiles(a, b, (path) => known.get(path))).toEqual([
      { path: "apart", group: "different", a: { change: "modified" }, b: { change: "deleted" } },
      { path: "dark", group: "unknown", a: { change: "modified" }, b: { change: "modified" } },
      { path: "same", group: "same", a: { change: "modified" }, b: { change: "modified" } },
      { path: "x", group: "only-a", a: { change: "added" } },
      { path: "y", group: "only-b", b: { change: "added" } },
    ])
  })
})

import { describe, expect, test } from "vitest"
import { resolveEntry } from "../../src/history/plan/resolve.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import type { EntryId, RecordId } from "../../src/model/id.ts"
import { type Picture, picture } from "./picture.ts"

const AT = "2026-01-01T00:00:00.000Z"

function label(tree: Picture, entry: EntryId, name: string): void {
  tree.add({ id: tree.nextId(), type: "label", at: AT, entry, name })
}

function named(tree: Picture, name: string): string {
  const resolved = resolveEntry(tree, tree.head, name)
  return resolved.ok ? tree.name(resolved.row) : resolved.failure.code
}

describe("an entry is named", () => {
  const tree = picture("p1 > a1 > p2 > a2; a1 > p3 > a3 > p4")
  test.each([
    ["by its id", tree.idOf("a2"), "a2"],
    ["by the end of its id", tree.idOf("a2").slice(-6), "a2"],
    ["by a longer end", tree.idOf("a2").slice(-20), "a2"],
    ["in capitals", tree.idOf("a2").toUpperCase(), "a2"],
    ["as the head", "head", "p4"],
    ["as the head, no rounds back", "head~0", "p4"],
    ["as the end of the round before", "head~1", "a3"],
    ["as the end of two rounds before", "head~2", "a1"],
    ["as the first prompt of the path", "@1", "p1"],
    ["as the second: of this path, not of the log", "@2", "p3"],
  ])("%s", (_, name, expected) => {
    expect(named(tree, name)).toBe(expected)
  })

  test.each([
    "head~3",
    "head~99999999999999999999",
    "@0",
    "@4",
    "@-1",
    "@1.5",
    "head~-1",
    "Head",
    "",
    " ",
    "a2",
    "5",
    "00005",
  ])("%j names none", (name) => {
    expect(named(tree, name)).toBe("not-found")
  })

  test("the refusal says what would be possible", () => {
    expect(resolveEntry(tree, tree.head, "head~9")).toMatchObject({
      failure: { possible: ["head", "head~1", "head~2"] },
    })
    expect(resolveEntry(tree, tree.head, "@9")).toMatchObject({ failure: { possible: ["@1 to @3"] } })
  })

  test("in an empty conversation there is nothing to name", () => {
    const empty = picture("")
    for (const name of ["head", "head~0", "head~1", "@1"]) expect(named(empty, name)).toBe("not-found")
    expect(resolveEntry(tree, NONE, "@1").ok).toBe(false)
  })
})

test("an end that two entries share is ambiguous, and both are shown", () => {
  const tree = picture("p1")
  const twins = ["01890a5d-ac96-7000-8000-11110000abcd", "01890a5d-ac96-7000-8000-22220000abcd"] as EntryId[]
  for (const id of twins) tree.add({ id, type: "checkpoint", parent: null, at: AT, n: 0 })
  const resolved = resolveEntry(tree, tree.head, "00abcd")
  expect(resolved).toMatchObject({ ok: false, failure: { code: "ambiguous", matches: ["110000abcd", "220000abcd"] } })
  expect(resolveEntry(tree, tree.head, "20000abcd")).toMatchObject({ ok: true })
})

test("only entries are found by the end of an id, not the records beside them", () => {
  const tree = picture("p1")
  label(tree, tree.idOf("p1"), "start")
  expect(named(tree, tree.id(1).slice(-6))).toBe("not-found")
  expect(named(tree, tree.id(1))).toBe("not-found")
})

describe("a label", () => {
  test("names its entry until it is removed or given to another", () => {
    const tree = picture("p1 > a1 > p2")
    label(tree, tree.idOf("a1"), "good")
    expect(named(tree, "good")).toBe("a1")
    label(tree, tree.idOf("p2"), "good")
    expect(named(tree, "good")).toBe("p2")
    label(tree, tree.idOf("p2"), "")
    expect(named(tree, "good"), "it does not go back to the entry that lost it").toBe("not-found")
    label(tree, tree.idOf("a1"), "good")
    label(tree, tree.idOf("a1"), "other")
    expect(named(tree, "good")).toBe("not-found")
    expect(named(tree, "other")).toBe("a1")
  })

  test("never hides an id", () => {
    const tree = picture("p1 > a1")
    label(tree, tree.idOf("p1"), tree.idOf("a1"))
    expect(named(tree, tree.idOf("a1"))).toBe("a1")
  })

  test("of something that is not an entry, or does not exist, names none", () => {
    const tree = picture("p1")
    label(tree, tree.nextId() as EntryId, "itself")
    label(tree, "01890a5d-ac96-7000-8000-ffffffffffff" as RecordId as EntryId, "gone")
    expect(named(tree, "itself")).toBe("not-found")
    expect(named(tree, "gone")).toBe("not-found")
  })
})

import { describe, expect, test } from "vitest"
import { attribute, stepsOf, type Window } from "../../src/workspace/attribute.ts"
import type { SnapshotId } from "../../src/workspace/port.ts"

let next = 0
function window(more: Partial<Window>): Window {
  const id = (n: number) => String(n).padStart(40, "0") as SnapshotId
  return { session: "me", start: next, end: next + 1, before: id(next), after: id(++next), changed: [], ...more }
}
const call = (round: string, name = "c") => ({ call: { round, call: name } })
const said = (own: Window[], others: Window[] = []) => attribute(own, others).map(({ path, author }) => [path, author])

describe("who changed what", () => {
  test("an edit tool's named path is its own; anything else that changed meanwhile is the person's", () => {
    expect(said([window({ ...call("r1"), named: ["a"], changed: ["a", "b"] })])).toEqual([
      ["a", { by: "call", round: "r1", call: "c" }],
      ["b", { by: "person" }],
    ])
  })

  test("what changed while a command ran is its own, and marked", () => {
    expect(said([window({ ...call("r1"), changed: ["a"] })])).toEqual([
      ["a", { by: "call", round: "r1", call: "c", during: "command" }],
    ])
  })

  test("between calls it is the person, or the other session that was at work", () => {
    const gap = window({ start: 0, end: 10, changed: ["mine", "theirs"] })
    const other = window({ session: "you", start: 2, end: 4, changed: ["theirs"], ...call("x") })
    expect(said([gap], [other])).toEqual([
      ["mine", { by: "person" }],
      ["theirs", { by: "other-session", session: "you" }],
    ])
  })

  test("a path that changed in windows of two sessions at once is nobody's", () => {
    const mine = window({ start: 0, end: 10, changed: ["a", "b"], ...call("r1") })
    const yours = window({ session: "you", start: 5, end: 15, changed: ["a"], ...call("x") })
    expect(said([mine], [yours])).toEqual([
      ["a", { by: "nobody", sessions: ["me", "you"] }],
      ["b", { by: "call", round: "r1", call: "c", during: "command" }],
    ])
    const later = window({ session: "you", start: 10, end: 15, changed: ["a"], ...call("x") })
    expect(said([mine], [later])[0]).toEqual(["a", { by: "call", round: "r1", call: "c", during: "command" }])
  })

  test("steps take back only the asked rounds, newest first, with the doubtful named", () => {
    const one = window({ ...call("r1"), named: ["a"], changed: ["a", "z"] })
    const two = window({ ...call("r2"), changed: ["b"] })
    const three = window({ ...call("r2"), start: 100, end: 110, changed: ["c", "d"] })
    const rival = window({ session: "you", start: 105, end: 120, changed: ["d"], ...call("x") })
    const all = attribute([one, two, three], [rival])
    expect(stepsOf(all, new Set(["r2"]))).toEqual([
      { before: three.before, after: three.after, paths: ["c"], uncertain: ["c"], shared: ["d"] },
      { before: two.before, after: two.after, paths: ["b"], uncertain: ["b"], shared: [] },
    ])
    expect(stepsOf(all, new Set(["r1"]))).toEqual([
      { before: one.before, after: one.after, paths: ["a"], uncertain: [], shared: [] },
    ])
  })
})

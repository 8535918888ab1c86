// What the log alone says of files: what differs from a moment, who else changed it, what no snapshot covers.
import { expect, test } from "vitest"
import type { CallSpan } from "../../src/history/files/call-spans.ts"
import { pathsNotSeen, uncoveredRounds } from "../../src/history/files/uncovered-rounds.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import type { SessionId } from "../../src/model/id.ts"
import { type OtherSpan, sharedPaths, withOthers } from "../../src/session/files/known/other-sessions.ts"
import { differing } from "../../src/session/files/plan/restore-way.ts"
import type { RestorePlan } from "../../src/workspace/port.ts"
import { type Body, calls, type Picture, picture, results } from "../history/picture.ts"

const AT = "2026-01-01T00:00:00.000Z"
const span = (changes: [path: string, change: string][], from = "10", until = "20") =>
  ({ changes: changes.map(([path, change]) => ({ path, change })), from, until }) as unknown as CallSpan

function snapshot(tree: Picture, entry: string | null, more: object = {}): void {
  const about = { entry: entry === null ? null : tree.idOf(entry), when: "after", snapshot: "s", ...more }
  tree.add({ id: tree.nextId(), type: "snapshot", at: AT, ...about } as never)
}

test.each<[what: string, takeBack: [string, string][][], bringAgain: [string, string][][], change: string | undefined]>(
  [
    ["added since", [[["a", "added"]]], [], "added"],
    ["deleted since", [[["a", "deleted"]]], [], "deleted"],
    ["changed since", [[["a", "modified"]]], [], "modified"],
    ["a mode that changed", [[["a", "mode"]]], [], "mode"],
    ["changed, and its mode too", [[["a", "mode"]], [["a", "modified"]]], [], "modified"],
    ["added, then changed", [[["a", "modified"]], [["a", "added"]]], [], "added"],
    ["added, then deleted", [[["a", "deleted"]], [["a", "added"]]], [], undefined],
    ["to be added again", [], [[["a", "added"]]], "deleted"],
    ["to be deleted again", [], [[["a", "deleted"]]], "added"],
  ],
)("a file that was %s", (_, takeBack, bringAgain, change) => {
  const spans = { takeBack: takeBack.map((each) => span(each)), bringAgain: bringAgain.map((each) => span(each)) }
  expect(differing(spans)).toEqual(change === undefined ? [] : [{ path: "a", change }])
})

test("files that differ come in the order of their names", () => {
  const changes: [string, string][] = [
    ["b", "added"],
    ["c", "modified"],
    ["a", "deleted"],
  ]
  expect(differing({ takeBack: [span(changes)], bringAgain: [] }).map(({ path }) => path)).toEqual(["a", "b", "c"])
})

const other = (from: string, until: string, ...paths: string[]): OtherSpan => ({
  session: `session of ${paths.join()}` as SessionId,
  from,
  until,
  paths: paths.length === 0 ? undefined : new Set(paths),
})

test.each<[what: string, other: OtherSpan, shared: string[]]>([
  ["at the same time", other("12", "15", "a", "x"), ["a"]],
  ["before it", other("05", "10", "a"), []],
  ["after it", other("20", "30", "a"), []],
  ["up to its first moment and a little more", other("05", "11", "a"), ["a"]],
  ["by a command that may have changed anything", other("05", "~"), ["a", "b"]],
])("a path of a call that another session changed %s", (_, each, shared) => {
  expect(
    sharedPaths(
      span([
        ["a", "modified"],
        ["b", "added"],
      ]),
      [each],
    ),
  ).toEqual(shared)
})

test("what stays says who changed it last, where that is known, since the moment of the restore", () => {
  const kept = [
    { path: "a", because: "changed-since" },
    { path: "b", because: "other-session" },
    { path: "c", because: "changed-since" },
  ]
  const plan = { kept, conflicts: [{ path: "a", because: "both" }] } as unknown as RestorePlan
  const others = [other("01", "30", "a"), other("02", "40", "a", "c"), other("03", "50")]
  const named = withOthers(plan, others, (path) => (path === "c" ? "41" : "20"))
  expect(named.kept.map((each) => each.by)).toEqual(["session of a,c", "session of ", undefined])
  expect(named.conflicts.map((each) => (each as { by?: string }).by)).toEqual(["session of a,c"])
  expect(withOthers(plan, others, () => undefined)).toEqual(plan)
  expect(withOthers(plan, others, () => "40").kept[0]?.by).toBe("session of a,c")
})

const ROUNDS = { a1: calls("one"), t1: results("one"), a2: calls("two"), t2: results("two") }

const BASH = (call: string): Body => ({
  type: "message",
  role: "assistant",
  origin: "agent",
  content: [{ type: "tool-call", call, name: "Bash", input: { command: "x" } }],
})

test("a round whose call may have written, and that has no snapshot, is not covered", () => {
  const bodies = { ...ROUNDS, a1: BASH("one"), a2: BASH("two") }
  const tree = picture("p1 > a1 > t1 > p2 > a2 > t2 > p3 > b3", bodies)
  const open = (from: string, to: string | undefined, since = to === undefined ? 0 : tree.row(to) + 1) =>
    uncoveredRounds(tree, { since, from: tree.row(from), to: to === undefined ? NONE : tree.row(to) }).map(
      ({ prompt }) => tree.name(prompt),
    )
  expect([open("b3", "p1"), open("t2", "t1"), open("b3", "p3")]).toEqual([["p1", "p2"], ["p2"], []])
  // Forward: what those rounds did does not come back.
  expect(open("p1", "b3", tree.size)).toEqual(["p1", "p2"])
  snapshot(tree, "p2")
  expect(open("b3", undefined)).toEqual(["p1"])
  snapshot(tree, "a1")
  snapshot(tree, null, { call: "x" })
  expect(open("b3", undefined)).toEqual(["p1"])
  snapshot(tree, "a1", { call: "one" })
  expect(open("b3", undefined)).toEqual([])
})

test("a round on a branch that was left is still in the files", () => {
  const tree = picture("p1 > b1 > p2 > a2; b1 > p3 > b3", { a2: BASH("two") })
  const rounds = uncoveredRounds(tree, { since: tree.row("p2"), from: tree.row("b3"), to: tree.row("b1") })
  expect(rounds.map(({ prompt }) => tree.name(prompt))).toEqual(["p2"])
  expect(uncoveredRounds(tree, { since: tree.row("p3"), from: tree.row("b3"), to: tree.row("b1") })).toEqual([])
})

test("a path that a call named and did not change was not seen, on what is left only", () => {
  const tree = picture("p1 > a1 > t1 > p2 > a2 > t2; t1 > p3 > a3", { ...ROUNDS, a3: calls("three") })
  const paths = ["x", "y"]
  snapshot(tree, "a1", { paths: ["early"] })
  snapshot(tree, "a2", { paths, changes: [{ path: "x", change: "modified" }] })
  snapshot(tree, "a2", { when: "before", paths: ["z"] })
  snapshot(tree, "a3", { paths: ["elsewhere"] })
  snapshot(tree, null, { paths: ["own"] })
  expect(pathsNotSeen(tree, tree.row("t2"), tree.row("t1"))).toEqual(["y"])
  expect(pathsNotSeen(tree, tree.row("t2"), NONE).sort()).toEqual(["early", "y"])
})

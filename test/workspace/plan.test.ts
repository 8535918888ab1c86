import { expect, test } from "vitest"
import type { PlannedStep } from "../../src/workspace/plan/plan-input.ts"
import { planActions } from "../../src/workspace/plan/restore-plan.ts"
import { type FileState, parseSnapshotId, type SnapshotId } from "../../src/workspace/port.ts"
import type { Difference } from "../../src/workspace/text/file-changes.ts"

const id = parseSnapshotId("0".repeat(40)) as SnapshotId
const file = (oid: string): FileState => ({ kind: "file", oid, perm: 0o644 })
const folder = (perm: number): FileState => ({ kind: "folder", perm })

const differences: Difference[] = [
  { path: "a", from: folder(0o755), to: folder(0o700) },
  { path: "a/persons", from: file("1"), to: file("2") },
]

function plan(step: Partial<PlannedStep["step"]>, paths?: string[]): string[] {
  const states = new Map(differences.map(({ path, to }) => [path, to]))
  const { actions } = planActions({
    steps: [{ step: { before: id, after: id, ...step }, differences, covered: () => true }],
    ...(paths && { paths }),
    now: {
      state: (path) => states.get(path),
      children: () => [],
      isUncovered: () => false,
      uncoveredIn: () => undefined,
      spelling: () => undefined,
    },
    content: { read: () => Buffer.alloc(0), store: () => "" },
    onConflict: "refuse",
  })
  return actions.map(({ path }) => path)
}

test("a folder that the agent changed is the agent's; what someone else changed in it is not", () => {
  expect(plan({ paths: ["a"] })).toEqual(["a"])
  expect(plan({ paths: ["a/persons"] })).toEqual(["a/persons"])
})

test("naming a folder names everything in it", () => {
  expect(plan({}, ["a"])).toEqual(["a", "a/persons"])
  expect(plan({}, ["b"])).toEqual([])
})

test("a file where a folder must be is a conflict, and stays when the person's version is chosen", () => {
  const planned = (onConflict: "refuse" | "ours") =>
    planActions({
      steps: [
        {
          step: { before: id, after: id },
          differences: [{ path: "sub/x", from: file("1"), to: undefined }],
          covered: () => true,
        },
      ],
      now: {
        state: (path) => (path === "sub" ? { kind: "link", oid: "2" } : undefined),
        children: () => [],
        isUncovered: () => false,
        uncoveredIn: () => undefined,
        spelling: () => undefined,
      },
      content: { read: () => Buffer.alloc(0), store: () => "" },
      onConflict,
    })
  expect(planned("refuse").conflicts).toMatchObject([{ path: "sub/x", because: "in-the-way" }])
  expect(planned("ours")).toMatchObject({
    actions: [],
    conflicts: [],
    kept: [{ path: "sub/x", because: "conflict-ours" }],
  })
})

test("a file is restored as planned or not touched, and is in one list only", () => {
  const planned = (input: { newest?: Partial<PlannedStep["step"]>; now: FileState; onlyCertain?: true }) =>
    planActions({
      steps: [
        { from: file("mine"), to: file("3"), step: input.newest ?? {} },
        { from: file("1"), to: file("2"), step: {} },
        { from: undefined, to: file("1"), step: {} },
      ].map(({ from, to, step }) => ({
        step: { before: id, after: id, ...step },
        differences: [{ path: "j", from, to }],
        covered: () => true,
      })),
      ...(input.onlyCertain && { onlyCertain: true }),
      now: {
        state: () => input.now,
        children: () => [],
        isUncovered: () => false,
        uncoveredIn: () => undefined,
        spelling: () => undefined,
      },
      content: { read: (oid) => Buffer.from(oid), store: (bytes) => String(bytes) },
      onConflict: "refuse",
    })
  const whole = (because: string) => ({
    actions: [],
    conflicts: [],
    kept: [{ path: "j", because }],
    untaken: [{ path: "j", steps: [0, 1, 2] }],
  })
  expect(planned({ now: file("3") })).toMatchObject(whole("changed-since"))
  expect(planned({ now: file("2"), newest: { shared: ["j"] } })).toMatchObject(whole("other-session"))
  expect(planned({ now: file("2"), newest: { own: ["j"] } })).toMatchObject(whole("own-command"))
  expect(planned({ now: file("2"), newest: { uncertain: ["j"] }, onlyCertain: true })).toMatchObject(whole("uncertain"))
})

// Commands in the background continue when the conversation moves: the answer names those that were left.
import { expect, test } from "vitest"
import type { BackgroundJob } from "../../src/agent/process/jobs.ts"
import { withRunning } from "../../src/app/open/left-running.ts"
import type { MoveResult } from "../../src/model/move/moved.ts"
import { calls, picture } from "../history/picture.ts"

const tree = picture("p1 > a1 > p2 > a2; a1 > p3 > a3", {
  a1: calls("one"),
  a2: calls("two", "other"),
  a3: calls("three"),
})
const job = (call: string, ended?: string) =>
  ({ id: `job of ${call}`, command: `run ${call}`, call, ended }) as unknown as BackgroundJob

const moved = (from: string | null, to: string | null, more: object = {}) =>
  ({
    outcome: "moved",
    kind: "goto",
    from: from === null ? null : tree.idOf(from),
    head: to === null ? null : tree.idOf(to),
    kept: [],
    ...more,
  }) as unknown as MoveResult

const left = (answer: MoveResult, ...jobs: BackgroundJob[]) => {
  const result = withRunning(tree, jobs, answer)
  return "stillRunning" in result ? result.stillRunning : undefined
}

test("a command is named when its call is not on the path any more", () => {
  const two = { job: "job of two", command: "run two" }
  expect(left(moved("a2", "a1"), job("two"), job("one"))).toEqual([two])
  expect(left(moved("a2", "a3"), job("two"), job("three"))).toEqual([two])
  expect(left(moved("a2", null), job("two"), job("one"))).toHaveLength(2)
})

test("none is named that has ended, or when nothing was left", () => {
  expect(left(moved("a2", "a1"), job("two", "ended"))).toBeUndefined()
  expect(left(moved("a1", "a2"), job("two"), job("one"))).toBeUndefined()
  expect(left(moved(null, "a2"), job("two"))).toBeUndefined()
})

test("while one runs, a file that changed since is not called the person's", () => {
  const kept = [
    { path: "a", because: "changed-since" },
    { path: "b", because: "deleted-since" },
    { path: "c", because: "changed-since", by: "another session" },
    { path: "d", because: "not-covered" },
  ]
  const because = (...jobs: BackgroundJob[]) => {
    const result = withRunning(tree, jobs, moved("a1", "a2", { kept }))
    return "kept" in result ? result.kept.map((each) => each.because) : []
  }
  expect(because(job("one"))).toEqual(["running-command", "running-command", "changed-since", "not-covered"])
  expect(because(job("one", "ended"))).toEqual(kept.map((each) => each.because))
})

test("a refusal stays as it is", () => {
  const refused = { outcome: "refused", failure: { code: "invalid" } } as unknown as MoveResult
  expect(withRunning(tree, [job("two")], refused)).toBe(refused)
})

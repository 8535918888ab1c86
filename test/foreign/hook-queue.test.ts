// Snapshots of hooks wait until the line that they are about comes, and keep their order.
import { expect, test } from "vitest"
import { HookQueue, hookOf } from "../../src/foreign/scan/hook-queue.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import type { HookNames, LogRecord, SnapshotRecord } from "../../src/model/record/record.ts"

const snapshot = (when: string, hook: unknown) => ({ type: "snapshot", when, hook }) as unknown as SnapshotRecord

/** A queue of snapshots, numbered in this order. */
function queueOf(...all: [when: "before" | "after", hook: HookNames][]): HookQueue {
  const queue = new HookQueue()
  for (const [number, [when, hook]] of all.entries()) queue.add({ record: snapshot(when, hook), number }, hook)
  return queue
}

const placed = (all: readonly { number: number; entry: number }[]) => all.map(({ number, entry }) => [number, entry])

test("a snapshot of a hook names a prompt or a call", () => {
  expect(hookOf(snapshot("before", { prompt: "p" }))).toEqual({ prompt: "p" })
  expect(hookOf(snapshot("before", { call: "c" }))).toEqual({ call: "c" })
  for (const hook of [undefined, null, "p", {}, { prompt: 1, call: 2 }])
    expect(hookOf(snapshot("before", hook))).toBeUndefined()
  expect(hookOf({ type: "message", hook: { prompt: "p" } } as unknown as LogRecord)).toBeUndefined()
})

test("it is taken once its entry is met, and those after one that still waits wait too", () => {
  const queue = queueOf(["before", { prompt: "p" }], ["before", { prompt: "p", call: "c" }], ["after", { prompt: "p" }])
  expect([queue.size, queue.isWanted("p"), queue.isWanted("c"), queue.isWanted("x")]).toEqual([3, true, true, false])
  expect(queue.takeMet()).toEqual([])
  queue.meet({ prompt: "p", calls: [] }, 7, false)
  expect(queue.takeMet()).toEqual([])
  queue.meet({ prompt: "p", calls: [] }, 7, true)
  expect(queue.isWanted("p")).toBe(false)
  expect(placed(queue.takeMet())).toEqual([[0, 7]])
  queue.meet({ calls: ["x", "c"] }, 9, false)
  expect(placed(queue.takeMet())).toEqual([
    [1, 9],
    [2, 7],
  ])
  expect(queue.size).toBe(0)
})

test("the first entry that is met counts", () => {
  const queue = queueOf(["before", { prompt: "p" }], ["before", { call: "c" }])
  for (const entry of [3, 4]) queue.meet({ prompt: "p", calls: ["c"] }, entry, true)
  expect(placed(queue.takeMet())).toEqual([
    [0, 3],
    [1, 3],
  ])
})

test("a round that begins passes what waited before it", () => {
  const queue = queueOf(["after", { prompt: "p", call: "lost" }], ["before", { prompt: "q" }])
  expect(queue.passedBy({ calls: [] })).toEqual([])
  expect(queue.passedBy({ prompt: "x", calls: [] })).toEqual([])
  expect(queue.passedBy({ prompt: "q", calls: [] }).map(({ number }) => number)).toEqual([0])
  expect(queue.passedBy({ prompt: "q", calls: [] })).toEqual([])
  queue.meet({ prompt: "q", calls: [] }, 5, true)
  expect(queue.passedBy({ prompt: "q", calls: [] })).toEqual([])
  expect(placed(queue.takeMet())).toEqual([[1, 5]])
})

test("only a snapshot before the prompt itself begins a round", () => {
  const queue = queueOf(["before", { prompt: "p" }], ["after", { prompt: "q" }], ["before", { prompt: "q", call: "c" }])
  expect(queue.passedBy({ prompt: "q", calls: [] })).toEqual([])
})

test("at the end all are taken up to the last whose entry is known; the others among them have none", () => {
  const queue = queueOf(["before", { prompt: "p" }], ["before", { prompt: "q" }], ["before", { prompt: "r" }])
  queue.meet({ prompt: "q", calls: [] }, 5, true)
  expect(placed(queue.takeRest())).toEqual([
    [0, NONE],
    [1, 5],
  ])
  expect(queue.size).toBe(1)
  expect(queue.takeRest()).toEqual([])
})

test("a call that was placed elsewhere takes its rest there; a sub-agent's call does not wait", () => {
  const queue = queueOf(
    ["before", { prompt: "p", call: "c" }],
    ["after", { prompt: "p", call: "c" }],
    ["after", { prompt: "p", call: "d", agent: "a" }],
  )
  expect(queue.isWanted("d")).toBe(false)
  queue.settle({ record: snapshot("before", { call: "c" }), number: 0 }, 6)
  queue.settle({ record: snapshot("before", { prompt: "p" }), number: 0 }, 8)
  expect(placed(queue.takeMet())).toEqual([
    [0, 6],
    [1, 6],
  ])
  queue.meet({ prompt: "p", calls: ["d"] }, 7, true)
  expect(placed(queue.takeMet())).toEqual([[2, 7]])
})

test("at the end, what a sub-agent did after everything else does not wait, unless the agent's own call before it does", () => {
  const late = { prompt: "its own", call: "d", agent: "a" }
  const queue = queueOf(
    ["after", { prompt: "p" }],
    ["before", late],
    ["after", late],
    ["before", { call: "c" }],
    ["before", late],
  )
  queue.meet({ prompt: "p", calls: [] }, 5, true)
  expect(placed(queue.takeRest())).toEqual([
    [0, 5],
    [1, NONE],
    [2, NONE],
  ])
  expect(queue.takeRest()).toEqual([])
  queue.meet({ calls: ["c"] }, 9, false)
  expect(placed(queue.takeRest())).toEqual([
    [3, 9],
    [4, NONE],
  ])
})

test("after a clear nothing waits", () => {
  const queue = queueOf(["before", { prompt: "p", call: "c" }])
  queue.clear()
  expect([queue.size, queue.isWanted("p"), queue.isWanted("c")]).toEqual([0, false, false])
})

// Where a session stands while its log's rows are made again: at the same entry, wherever that is now.
import { expect, test } from "vitest"
import { NONE } from "../../src/history/tree/tree.ts"
import { SessionHead } from "../../src/session/state/session-head.ts"
import type { SessionLog } from "../../src/store/port.ts"

/** Entries in a row, by their ids. */
function rowsOf(ids: string) {
  const all = ids.split(" ").filter(Boolean)
  const rowOf = (id: string) => (all.includes(id) ? all.indexOf(id) : NONE)
  return { head: all.length === 0 ? NONE : all.length - 1, id: (row: number) => all[row], rowOf }
}

/** A session that stands at the end of a log whose rows are these, until others are made. */
function standing(ids: string, { follows = false } = {}) {
  const log = { history: rowsOf(ids), generation: 1 }
  const own = new SessionHead(log as unknown as SessionLog, () => follows)
  return {
    own,
    at: () => (own.row === NONE ? "nowhere" : log.history.id(own.row)),
    go: (id: string) => {
      own.row = log.history.rowOf(id)
    },
    makeAgain: (other: string) => {
      log.history = rowsOf(other)
      log.generation++
    },
  }
}

test("it is found again by its id", () => {
  const { own, at, go, makeAgain } = standing("a b c")
  go("b")
  makeAgain("x y a b c")
  expect([at(), own.lost]).toEqual(["b", false])
})

test("that it is lost is known before anyone asks where it is", () => {
  const { own, at, makeAgain } = standing("a b c")
  makeAgain("a b")
  expect([own.lost, at()]).toEqual([true, "b"])
  makeAgain("a b c")
  expect([own.lost, at()]).toEqual([false, "c"])
})

test("an entry that is gone leaves us where the log ends, until we go elsewhere", () => {
  const { own, at, go, makeAgain } = standing("a b c")
  makeAgain("a b")
  expect([at(), own.lost]).toEqual(["b", true])
  go("a")
  expect([at(), own.lost]).toEqual(["a", false])
})

test("one that follows is where the log ends, whatever it was set to", () => {
  const { own, at, go, makeAgain } = standing("a b c", { follows: true })
  go("a")
  expect(at()).toBe("c")
  makeAgain("x y")
  expect([at(), own.lost]).toEqual(["y", false])
})

test("the empty conversation stays empty", () => {
  const { own, at, makeAgain } = standing("")
  makeAgain("a b")
  expect([at(), own.lost]).toEqual(["nowhere", false])
})

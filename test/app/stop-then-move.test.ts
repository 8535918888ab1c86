// A move that was planned while a turn ran is made from where the turn ended.
import { expect, test } from "vitest"
import { roundsTo } from "../../src/app/open/stop-then-move.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import type { Session } from "../../src/session/session.ts"
import { picture } from "../history/picture.ts"

const tree = picture("p1 > a1 > p2 > a2 > p3")

/** How many rounds lead back before a prompt from an entry. */
function rounds(head: string | undefined, prompt: string | undefined): number | undefined {
  const session = { history: tree, headRow: head === undefined ? NONE : tree.row(head) } as unknown as Session
  const planned = prompt === undefined ? {} : { prompt: { id: tree.idOf(prompt), text: "" } }
  return roundsTo(session, planned as never)
}

test("the rounds are counted from where the head is by now", () => {
  expect([rounds("a2", "p2"), rounds("p3", "p2"), rounds("p3", "p1"), rounds("p3", "p3")]).toEqual([1, 2, 3, 1])
})

test("without a prompt, before any, or when the head is above it already, the plan says nothing", () => {
  expect([rounds("a2", undefined), rounds(undefined, "p2"), rounds("a1", "p2"), rounds("a1", "p3")]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(roundsTo({ history: tree, headRow: 0 } as unknown as Session, undefined)).toBeUndefined()
})

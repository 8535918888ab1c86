// Which of a program's output the tree has already.
import { expect, test } from "vitest"
import { alreadyRecorded } from "../../src/app/turn/already-recorded.ts"
import type { Part } from "../../src/model/record/record.ts"
import type { ProgramEvent } from "../../src/programs/port.ts"
import { type Body, picture } from "../history/picture.ts"

const piece = (answer: string, ...types: ("text" | "reasoning")[]): Body => {
  const content = types.map((type): Part => ({ type, text: "…" }))
  return { type: "message", role: "assistant", origin: "agent", answer, content }
}
const STEP: ProgramEvent = { type: "step-start", answer: "m1" }
const TEXT: ProgramEvent = { type: "text-delta", text: "…" }
const REASONING: ProgramEvent = { type: "reasoning-delta", text: "…" }

/** What is said of each event. */
function judged(before: number, tree: ReturnType<typeof picture>, ...events: ProgramEvent[]): boolean[] {
  return events.map(alreadyRecorded(tree, before))
}

test("nothing is recorded before the file has that answer", () => {
  expect(judged(0, picture("p1"), STEP, TEXT)).toEqual([false, false])
  expect(judged(0, picture("p1 > a1", { a1: piece("m0", "text") }), STEP, TEXT)).toEqual([false, false])
})

test("each part of an answer counts by itself: its reasoning may be there, and its text not yet", () => {
  const tree = picture("p1 > a1", { a1: piece("m1", "reasoning") })
  const end: ProgramEvent = { type: "reasoning-end" }
  expect(judged(0, tree, STEP, REASONING, end, REASONING, TEXT)).toEqual([false, true, false, false, false])
  expect(judged(0, picture("p1 > a1 > a2", { a1: piece("m1", "text"), a2: piece("m1", "text") }), STEP, TEXT)[1]).toBe(
    true,
  )
})

test("a second text of the same answer is distinguished from the first", () => {
  const one = picture("p1 > a1", { a1: piece("m1", "text") })
  const two = picture("p1 > a1", { a1: piece("m1", "text", "text") })
  const end: ProgramEvent = { type: "text-end" }
  expect(judged(0, one, STEP, TEXT, end, TEXT)).toEqual([false, true, false, false])
  expect(judged(0, two, STEP, TEXT, end, TEXT)).toEqual([false, true, false, true])
})

test("an earlier turn does not count", () => {
  const tree = picture("p1 > a1", { a1: piece("m1", "text") })
  expect(judged(tree.size, tree, STEP, TEXT)).toEqual([false, false])
})

test("without the answer's id, what has been said so far decides, once for each text", () => {
  const said = (text: string): Body => ({
    type: "message",
    role: "assistant",
    origin: "agent",
    content: [{ type: "text", text }],
  })
  const step: ProgramEvent = { type: "step-start" }
  const [first, second, end] = [
    { type: "text-delta", text: "One " },
    { type: "text-delta", text: "two." },
    { type: "text-end" },
  ] as const
  const tree = picture("p1 > a1", { a1: said("One two.") })
  expect(judged(0, tree, step, first, second, end)).toEqual([false, true, true, false])
  expect(judged(0, tree, step, first, second, end, step, first)).toEqual([false, true, true, false, false, false])
  expect(judged(0, picture("p1 > a1", { a1: said("One three.") }), step, first, second)).toEqual([false, true, false])
})

// What is in the scrollback for good, what may still change, and what lies between two things.
import { expect, test } from "vitest"
import type { Block } from "../../src/tui/conversation/block.ts"
import { makeTranscript } from "../../src/tui/conversation/transcript.ts"
import { makeTheme } from "../../src/tui/terminal/theme.ts"

const theme = makeTheme({ colours: true })

/** A block that settles when it is finished; `ended` settles at once. */
function block(kind: string, text: string, ended = true): Block {
  let [done, given] = [ended, false]
  return {
    kind,
    get done() {
      return given
    },
    settle() {
      if (!done || given) return []
      given = true
      return text.split("|")
    },
    live: () => (given ? [] : [`live ${text}`]),
    finish() {
      done = true
    },
  }
}

function transcript(times: number[] = []) {
  const made = makeTranscript(theme, () => times.shift() ?? 0)
  const settled = () => made.settle(80).lines.map(({ text, row }) => `${row}: ${text}`)
  return { made, settled, live: (room = 20) => made.live(80, room) }
}

test("a block settles only when all before it have", () => {
  const { made, settled, live } = transcript()
  const open = made.add(block("text", "one", false), 1)
  made.add(block("text", "two"), 2)
  expect(settled()).toEqual([])
  expect(live()).toEqual(["live one", "", "live two"])
  open.finish()
  expect(settled()).toEqual(["1: one", "2: ", "2: two"])
  expect(live()).toEqual([])
})

test("a blank line lies between two things, none at the top, after one, or between calls", () => {
  const { made, settled } = transcript()
  for (const [kind, text] of [
    ["text", "a|"],
    ["text", "b"],
    ["tool", "c"],
    ["tool", "d"],
    ["notice", "e"],
    ["notice", "f"],
    ["text", "g"],
  ] as const) {
    made.add(block(kind, text), 1)
  }
  expect(settled().map((line) => line.slice(3))).toEqual(["a", "", "b", "", "c", "d", "", "e", "f", "", "g"])
})

test("what is pinned stays below everything, and comes into its place as bright as the rest", () => {
  const { made, settled, live } = transcript()
  const place = made.pin(block("tool", "pinned"))
  made.add(block("text", "one", false), 1)
  expect(live()).toEqual(["live one", "", "live pinned"])
  place(5)
  place(6)
  made.finish()
  expect(settled()).toEqual(["1: one", "5: ", "5: pinned"])
})

test("what was left behind is dim, and what comes later is not", () => {
  const { made, settled } = transcript()
  made.add(block("text", "kept"), 3)
  made.add(block("text", "left|"), 4)
  made.dimAfter(3)
  made.add(block("text", "new"), 5)
  expect(settled()).toEqual(["3: kept", "4: ", `4: ${theme.quiet("left")}`, "4: ", "5: new"])
})

test("at the end everything settles, what is pinned last", () => {
  const { made, settled, live } = transcript()
  made.pin(block("tool", "pinned", false))
  made.add(block("text", "one", false), 1)
  made.finish()
  expect(settled()).toEqual(["1: one", "0: ", "0: pinned"])
  expect(live()).toEqual([])
})

test("a frame takes eight milliseconds, and the rest comes with the next", () => {
  const { made } = transcript([0, 0, 8, 9, 20])
  for (const text of ["a", "b", "c"]) made.add(block("tool", text), 1)
  const first = made.settle(80)
  expect([first.lines.map(({ text }) => text), first.more]).toEqual([["a", "b"], true])
  const next = made.settle(80)
  expect([next.lines.map(({ text }) => text), next.more]).toEqual([["c"], false])
})

test("of what may still change the last lines are shown that there is room for", () => {
  const { made, live } = transcript()
  made.add(block("tool", "one", false), 1)
  made.add(block("tool", "two", false), 2)
  expect([live(1), live(0), live(-1)]).toEqual([["live two"], [], []])
})

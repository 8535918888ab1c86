// The end of a conversation as it is printed when a session is opened: a few screens, and how much is above them.
import { expect, test } from "vitest"
import { makeFolded } from "../../src/tui/conversation/block.ts"
import { blocksFromLog } from "../../src/tui/conversation/from-log.ts"
import { makeTheme } from "../../src/tui/terminal/theme.ts"
import { type Body, message, type Picture, picture } from "../history/picture.ts"

const parts = () => ({ theme: makeTheme({ colours: false }), folded: makeFolded("Ctrl+O") })

function printed(tree: Picture, what: "end" | "last-round", head = tree.head): string {
  return blocksFromLog(tree, head, parts(), what)
    .flatMap(({ block }) => block.settle(200))
    .join("\n")
}

/** Rounds of a prompt and `answers` answers each. */
function rounds(count: number, answers: number): Picture {
  const bodies: Record<string, Body> = {}
  const names: string[] = []
  const add = (name: string, body: Body) => {
    names.push(name)
    bodies[name] = body
  }
  for (let n = 1; n <= count; n++) {
    add(`p${n}`, message("user", "prompt", `ask ${n}.`))
    for (let a = 1; a <= answers; a++) add(`a${n * 1000 + a}`, message("assistant", "agent", `answer ${n}/${a}.`))
  }
  return picture(names.join(" > "), bodies)
}

test("a short conversation is printed whole, without mentioning earlier entries", () => {
  const text = printed(rounds(3, 1), "end")
  for (const said of ["ask 1.", "answer 1/1.", "ask 3.", "answer 3/1."]) expect(text).toContain(said)
  expect(text).not.toContain("earlier")
  expect(printed(picture(""), "end")).toBe("")
})

test("of a long one the last 200 entries from a prompt on, and how many are above", () => {
  const whole = printed(rounds(99, 1), "end")
  expect([whole.includes("ask 1."), whole.includes("earlier")]).toEqual([true, false])
  const cut = printed(rounds(110, 1), "end")
  expect(cut).toContain("20 earlier entries: see them with /tree")
  expect([cut.includes("ask 10."), cut.includes("ask 11.")]).toEqual([false, true])
  const middle = printed(rounds(67, 2), "end")
  expect(middle).toContain("3 earlier entries")
  expect([middle.includes("answer 1/2."), middle.includes("ask 2.")]).toEqual([false, true])
  const one = printed(rounds(2, 199), "end")
  expect([one.includes("ask 2."), one.includes("answer 1/199."), one.includes("200 earlier entries")]).toEqual([
    true,
    false,
    true,
  ])
})

test("the last round is what was said since the last prompt, and no more than 40 entries", () => {
  const text = printed(rounds(2, 2), "last-round")
  expect([text.includes("answer 1/2."), text.includes("ask 2."), text.includes("answer 2/2.")]).toEqual([
    false,
    true,
    true,
  ])
  const long = printed(rounds(1, 60), "last-round")
  expect([long.includes("answer 1/20."), long.includes("answer 1/21."), long.includes("answer 1/60.")]).toEqual([
    false,
    true,
    true,
  ])
  expect(printed(picture(""), "last-round")).toBe("")
})

test("an entry that cannot be read is shown as such", () => {
  const tree = rounds(1, 1)
  tree.records[1] = undefined as never
  expect(printed(tree, "end")).toContain("cannot be read: see /doctor")
})

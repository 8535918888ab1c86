// What a dry run says of the prompt cache: how much of the context two points share from its start.
import { expect, test } from "vitest"
import { contextTokens, costOf } from "../../src/history/plan/describe.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import { type Body, message, type Picture, picture } from "./picture.ts"

const system = (text: string): Body => ({ type: "state", key: "system", value: text })

function cost(tree: Picture, from: string, to: string | undefined) {
  return costOf(tree, { from: tree.row(from), to: to === undefined ? NONE : tree.row(to) })
}

test("going back shares all messages up to there, and nothing is sent again", () => {
  const tree = picture("p1 > a1 > p2 > a2")
  const tokens = contextTokens(tree, tree.row("a1"))
  expect(cost(tree, "a2", "a1")).toEqual({ cached: 2, cachedTokens: tokens, againTokens: 0 })
  expect(cost(tree, "a2", undefined)).toEqual({ cached: 0, cachedTokens: 0, againTokens: 0 })
})

test("another branch shares what comes before the fork; the rest of it is sent again", () => {
  const tree = picture("p1 > a1 > p2 > a2; a1 > p3 > a3")
  const [all, shared] = [contextTokens(tree, tree.row("a2")), contextTokens(tree, tree.row("a1"))]
  expect(cost(tree, "a3", "a2")).toEqual({ cached: 2, cachedTokens: shared, againTokens: all - shared })
})

test("the system prompt counts as a message, and another one shares nothing", () => {
  const tree = picture("s1 > p1 > a1 > p2; a1 > s2 > p3", { s1: system("Be kind."), s2: system("Be brief.") })
  expect(cost(tree, "p2", "a1").cached).toBe(3)
  expect(cost(tree, "p3", "p2")).toMatchObject({ cached: 0, cachedTokens: 0 })
})

test("after a compaction the summary and what follows it count, and before it only the system prompt is shared", () => {
  const tree = picture("s1 > p1 > a1 > p2 > a2 > z1 > p3 > a3 > p4 > a4", { s1: system("Be kind.") })
  expect(cost(tree, "a4", "a3").cached).toBe(4)
  expect(cost(tree, "a4", "p3").cached).toBe(3)
  const back = cost(tree, "a4", "a2")
  expect(back.cached).toBe(1)
  expect(back.cachedTokens).toBe(contextTokens(tree, tree.row("s1")))
  expect(back.cachedTokens + back.againTokens).toBe(contextTokens(tree, tree.row("a2")))
})

test("in a long path without counts, the last 500 messages are read, and the rest are assumed to be as long", () => {
  const said = (count: number, text: (n: number) => string) => {
    const names = Array.from({ length: count }, (_, i) => `a${i}`)
    const bodies = Object.fromEntries(names.map((name, i) => [name, message("assistant", "agent", text(count - i))]))
    const tree = picture(names.join(" > "), bodies)
    return contextTokens(tree, tree.row(`a${count - 1}`))
  }
  const one = said(1, () => "word")
  expect(said(499, () => "word")).toBe(499 * one)
  expect(said(600, () => "word")).toBe(600 * one)
  const long = "word ".repeat(100)
  expect(said(600, (n) => (n > 500 ? long : "word"))).toBe(600 * one)
  expect(said(600, (n) => (n > 499 ? long : "word"))).toBeGreaterThan(600 * one)
})

test("the count of an answer includes all of its pieces, whichever of them has it", () => {
  const piece = (text: string, usage?: { input: number; output: number }): Body => ({
    ...message("assistant", "agent", text),
    answer: "one",
    ...(usage && { usage }),
  })
  const bodies = { a1: piece("word ".repeat(100), { input: 50, output: 200 }), a2: piece("word ".repeat(100)) }
  const tree = picture("p1 > a1 > a2 > p2", { ...bodies, p2: message("user", "prompt", "") })
  expect(contextTokens(tree, tree.row("a2"))).toBe(250)
  expect(contextTokens(tree, tree.row("p2"))).toBeLessThan(260)
})

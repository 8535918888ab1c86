// How full the window is, on every path: what was reported there, and what came after it.
import { describe, expect, test } from "vitest"
import { contextSize, contextSizes } from "../../src/runner/window/context-size.ts"
import { type Body, message, picture } from "../history/picture.ts"

/** A token a character, so that sums can be read; 4 for each message. */
const tokens = (text: string) => text.length
const answer = (used: number, more: object = {}): Body => ({
  ...message("assistant", "agent", "x"),
  usage: { input: used - 30, cacheRead: 10, cacheWrite: 10, output: 10 },
  ...more,
})
const said = (size: number): Body => message("user", "prompt", "y".repeat(size - 4))

function at(text: string, bodies: { [name: string]: Body }, entry?: string) {
  const tree = picture(text, bodies)
  return contextSize(tree, entry === undefined ? tree.head : tree.row(entry), tokens)
}

test("an appended message is pending; a report of usage takes it in", () => {
  const bodies = { p1: said(50), a1: answer(1000), p2: said(70) }
  expect(at("p1", bodies)).toEqual({ used: 0, pending: 50 })
  expect(at("p1 > a1", bodies)).toEqual({ used: 1000, pending: 0 })
  expect(at("p1 > a1 > p2", bodies)).toEqual({ used: 1000, pending: 70 })
})

test("without any report everything is pending: the system prompt and the tools too", () => {
  const tree = picture("s1 > p1", { s1: { type: "state", key: "system", value: "12345" }, p1: said(50) })
  const tool = { name: "Read", description: "Reads.", input: {} }
  expect(contextSize(tree, tree.head, tokens, [tool])).toEqual({ used: 0, pending: 50 + 5 + "ReadReads.{}".length })
})

test("after going back, what was reported there counts again, and only what stays is pending", () => {
  const bodies = { p1: said(50), a1: answer(1000), p2: said(70), a2: answer(2000), p3: said(90) }
  const path = "p1 > a1 > p2 > a2 > p3"
  expect(at(path, bodies, "a2")).toEqual({ used: 2000, pending: 0 })
  expect(at(path, bodies, "p2")).toEqual({ used: 1000, pending: 70 })
  expect(at(path, bodies, "a1")).toEqual({ used: 1000, pending: 0 })
})

test("what a note says is pending, under the report before its checkpoint", () => {
  const bodies = { p1: said(50), a1: answer(1000), a2: answer(9000) }
  expect(at("p1 > a1 > c0 > a2; c0 > n1", bodies)).toEqual({ used: 1000, pending: "n1".length })
})

test.each(["aborted", "failed"])("the usage of an answer that was %s says nothing of the context", (stop) => {
  const bodies = { p1: said(50), a1: answer(1000), p2: said(70), a2: answer(9, { stop }) }
  expect(at("p1 > a1 > p2 > a2", bodies)).toEqual({ used: 1000, pending: 70 + 5 })
})

describe("a compaction", () => {
  const kept = (keepFrom: string | null): Body => {
    const said = { summary: "s".repeat(20), prompts: ["p".repeat(7)] }
    return { type: "compaction", ...said, keepFrom, cause: "person" }
  }

  test("makes the report before it void: the summary and what was kept are pending", () => {
    const bodies = { p1: said(50), a1: answer(9000), z1: kept(null), p2: said(70) }
    expect(at("p1 > a1 > z1 > p2", bodies)).toEqual({ used: 0, pending: 20 + 7 + 70 })
  })

  test("counts its kept tail, whose own report is void too", () => {
    const first = "01890a5d-ac96-7000-8000-000000000002"
    const bodies = { p1: said(50), a1: answer(1), p2: said(30), a2: answer(9000), z1: kept(first) }
    expect(at("p1 > a1 > p2 > a2 > z1", bodies)).toEqual({ used: 0, pending: 20 + 7 + 30 + 5 })
  })

  test("is void when there is one before it again", () => {
    const bodies = { p1: said(50), a1: answer(9000), z1: kept(null) }
    expect(at("p1 > a1 > z1", bodies, "a1")).toEqual({ used: 9000, pending: 0 })
  })
})

test("an image counts what images cost, wherever it stands, and not its bytes; reasoning does not count", () => {
  const data = "A".repeat(500_000)
  const image = { type: "image", mediaType: "image/png", data }
  const bodies: { [name: string]: Body } = {
    p1: { type: "message", role: "user", origin: "prompt", content: [image] },
    t1: {
      type: "message",
      role: "tool",
      origin: "tool",
      content: [{ type: "tool-result", call: "c", name: "Read", output: "", media: [image] }],
    },
    a1: { type: "message", role: "assistant", origin: "agent", content: [{ type: "reasoning", text: data }] },
  }
  for (const name of ["p1", "t1"]) expect(at(name, bodies).pending).toBeLessThan(2000)
  expect(at("a1", bodies).pending).toBe(4)
})

test("from head to head every entry is estimated once, and the answers are the same", () => {
  const names = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? `p${n}` : `a${n}`))
  const tree = picture(names.join(" > "))
  let counted = 0
  const sizes = contextSizes(tree, (text) => {
    counted++
    return text.length
  })
  for (let row = 0; row < tree.size; row++) expect(sizes(row)).toEqual(contextSize(tree, row, tokens))
  expect(counted).toBe(tree.size)
})

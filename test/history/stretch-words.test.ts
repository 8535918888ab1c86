// What one line of the log says about a run of entries.
import { expect, test } from "vitest"
import type { Stretch } from "../../src/history/graph/graph.ts"
import { amounts, tell } from "../../src/history/graph/stretch-words.ts"
import { type Body, calls, message, type Picture, picture, results } from "./picture.ts"

function told(tree: Picture, first: string, last: string, more: Partial<Stretch> = {}) {
  const stretch = {
    first: tree.row(first),
    last: tree.row(last),
    named: tree.row(first),
    messages: 2,
    starts: "other",
    ...more,
  }
  return tell(tree, stretch as unknown as Stretch)
}

const prompt = { starts: "prompt" } as unknown as Partial<Stretch>
const quiet = (...names: string[]): Body => ({ ...calls(...names) })

test("a round is described by its prompt, with its messages and calls", () => {
  const tree = picture("p1 > a1 > t1 > a2", { a1: calls("one", "two"), t1: results("one", "two"), a2: calls("three") })
  expect(told(tree, "p1", "a2", prompt)).toEqual({ intro: "", text: "p1", messages: 2, calls: 3 })
  expect(told(tree, "p1", "a1", prompt).calls).toBe(2)
  expect(told(tree, "p1", "a2", { ...prompt, messages: 5_000 }).calls).toBe(3)
  expect(told(tree, "p1", "a2", { ...prompt, messages: 5_001 }).calls).toBe(0)
})

test("a prompt without text says so", () => {
  expect(told(picture("p1", { p1: message("user", "prompt", " ") }), "p1", "p1", prompt).text).toBe("(no text)")
})

test("a note, a summary and a compaction say what they discard or how much shorter it is", () => {
  const note = (more: object): Body => ({ type: "note", text: "found it", facts: [], left: null, discards: 8, ...more })
  const tree = picture("n1 > n2 > z1 > z2 > z3", {
    n1: note({ checkpoint: 3 }),
    n2: note({}),
    z1: { type: "compaction", summary: "what was", prompts: [], keepFrom: null, cause: "person" },
    z2: {
      type: "compaction",
      summary: "",
      prompts: [],
      keepFrom: null,
      cause: "person",
      tokens: { before: 999, after: 10 },
    },
    z3: {
      type: "compaction",
      summary: "",
      prompts: [],
      keepFrom: null,
      cause: "person",
      tokens: { before: 1499, after: 1000 },
    },
  })
  const intro = (name: string) => told(tree, name, name).intro
  expect(["n1", "n2", "z1", "z2", "z3"].map(intro)).toEqual([
    "note, discards 8:",
    "summary, discards 8:",
    "compaction:",
    "compaction, 999 → 10 tokens:",
    "compaction, 1k → 1k tokens:",
  ])
  expect(told(tree, "n1", "n1").text).toContain("found it")
})

test("what continues a round is described by its first words, else by the first tool, else by what it is", () => {
  const said = (text: string) => message("assistant", "agent", text)
  const tree = picture("p1 > a1 > t1 > a2 > t2 > s1 > c1", {
    a1: quiet("one"),
    t1: results("one"),
    a2: quiet("two"),
    t2: results("two"),
  })
  expect(told(tree, "a1", "t2")).toMatchObject({ intro: "…", text: "calls read", calls: 2 })
  expect(told(picture("p1 > a1 > b1", { a1: said("first"), b1: said("second") }), "a1", "b1").text).toBe("first")
  expect(told(picture("p1 > a1 > b1", { a1: quiet("one"), b1: said("words") }), "a1", "b1").text).toBe("words")
  expect(told(tree, "s1", "s1").text).toBe("todos set")
  expect(told(tree, "c1", "c1").text).toBe("checkpoint 1")
  expect(told(picture("p1 > a1", { a1: said("") }), "a1", "a1").text).toBe("assistant")
  expect(told(picture("p1 > x1"), "x1", "x1").text).toContain("hologram")
})

test("results are described by what was called above them", () => {
  const bash = (call: string, command: string): Body => ({
    type: "message",
    role: "assistant",
    origin: "agent",
    content: [{ type: "tool-call", call, name: "Bash", input: { command } }],
  })
  const tree = picture("p1 > a1 > t1; p1 > t2", {
    a1: bash("one", "ls"),
    t1: results("one", "other"),
    t2: { ...results("one") },
  })
  expect(told(tree, "t1", "t1").text).toMatch(/^bash: ls → .*, result → /)
  expect(told(tree, "t2", "t2").text).toMatch(/^result → /)
  const empty = picture("p1 > t1", { t1: { type: "message", role: "tool", origin: "tool", content: [] } })
  expect(told(empty, "t1", "t1").text).toBe("results")
})

test("amounts take as much room as there is", () => {
  const both = { messages: 12, calls: 9 }
  expect([35, 36, 55, 56].map((room) => amounts(both, room))).toEqual([
    "",
    "12 messages",
    "12 messages",
    "12 messages, 9 calls",
  ])
  expect(amounts({ messages: 1, calls: 0 }, 80)).toBe("1 message")
  expect(amounts({ messages: 0, calls: 0 }, 80)).toBe("")
})

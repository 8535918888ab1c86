// What the terminal prints about costs, backtracks and code, line by line.
import { expect, test } from "vitest"
import type { Status } from "../../../src/protocol/shapes.ts"
import { highlight, languageOf } from "../../../src/tui/conversation/highlight.ts"
import { noteLines } from "../../../src/tui/conversation/note-lines.ts"
import { makeTheme, type Theme } from "../../../src/tui/terminal/theme.ts"
import { costLines } from "../../../src/tui/words/cost-lines.ts"

const plain = makeTheme({ colours: false })

function status(cost: number | undefined, window: number | undefined): Status {
  const totals = { input: 1200, cacheRead: 30_000, cacheWrite: 4, output: 567, saved: 89, cost }
  return { totals, context: { used: 2345, window, compactsAt: undefined } } as unknown as Status
}

test("/cost has every count, how full the context is, and the money", () => {
  expect(costLines(status(0.12345, 200_000), plain, 60)).toEqual([
    "Tokens in this session",
    "  read by the model      1,200",
    "  read from its cache    30,000",
    "  written to its cache   4",
    "  written by the model   567",
    "  saved by backtracking  89",
    "  in the context now     2,345 of 200,000",
    "  cost                   $0.1235",
  ])
  expect(costLines(status(undefined, undefined), plain, 60).slice(-2)).toEqual([
    "  in the context now     2,345",
    "  cost                   not known",
  ])
})

const told = { checkpoint: 3, discards: 1, note: "Use b.ts.", returnedTo: "fix it" }

test("a backtrack says what it discards, where it returned to, and its note", () => {
  expect(noteLines(told, 40, plain, "ctrl+o")).toEqual([
    "─── Backtracked to Checkpoint 3 ────────",
    "Discards 1 message. Undo with /undo",
    "Returned to: fix it",
    "Note from future:",
    "  Use b.ts.",
    "─".repeat(40),
  ])
  const summary = { checkpoint: undefined, discards: 2, note: " ", returnedTo: null }
  expect(noteLines(summary, 40, plain, "ctrl+o")).toEqual([
    "─── Went back with a summary ───────────",
    "Discards 2 messages. Undo with /undo",
    "─".repeat(40),
  ])
})

test("a note of more than 300 characters is cut, and says by how many", () => {
  const lines = (length: number) => noteLines({ ...told, note: "x".repeat(length) }, 400, plain, "ctrl+o").slice(4, -1)
  expect(lines(300)).toEqual([`  ${"x".repeat(300)}`])
  expect(lines(302)).toEqual([`  ${"x".repeat(300)}…`, "  … 2 more characters (ctrl+o)"])
})

/** Each colour as a letter and brackets. */
const named: Theme = {
  ...makeTheme({ colours: true }),
  quiet: (text) => `q[${text}]`,
  good: (text) => `g[${text}]`,
  bad: (text) => `b[${text}]`,
  label: (text) => `l[${text}]`,
  mark: (text) => `m[${text}]`,
}

test.each([
  ["ts", "const a = 12 // x", "m[const] a = l[12] q[// x]"],
  ["ts", 'f("a\\"b") /* y */', 'f(g["a\\"b"]) q[/* y */]'],
  ["ts", "a # b -- c", "a # b -- c"],
  ["py", "return x # why", "m[return] x q[# why]"],
  ["py", "a // b", "a // b"],
  ["sql", "SELECT a -- all", "m[SELECT] a q[-- all]"],
  ["diff", "+a", "g[+a]"],
  ["diff", "-a", "b[-a]"],
  ["diff", "@@ -1 +1 @@", "q[@@ -1 +1 @@]"],
  ["diff", " a", " a"],
  ["text", "const a", "const a"],
  ["", "const a", "const a"],
])("%s: %j in colours", (language, line, shown) => {
  expect(highlight(line, language, named)).toEqual([shown])
})

test("without colours, and in lines of more than 400 characters, code is as it is", () => {
  expect(highlight("const a", "ts", plain)).toEqual(["const a"])
  expect(highlight("const a", undefined, named)).toEqual(["const a"])
  const long = (length: number) => `if ${"x".repeat(length - 3)}`
  expect(highlight(`${long(400)}\n${long(401)}`, "ts", named)).toEqual([`m[if] ${"x".repeat(397)}`, long(401)])
})

test.each([
  ["src/a.ts", "ts"],
  ["A.YML", "yml"],
  ["Makefile", "make"],
  ["deep/Dockerfile", "make"],
  ["notes.txt", undefined],
  ["ts", undefined],
])("%s is of the language %s", (path, language) => expect(languageOf(path)).toBe(language))

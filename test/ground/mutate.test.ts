// `npm run mutate`: the changes that it makes to a source text.
import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { expect, test } from "vitest"
import { changed, changesIn, lineOf } from "../../scripts/mutate/changes.mjs"
import { marked } from "../../scripts/mutate/reach.mjs"
import { isKnownUnseen } from "../../scripts/mutate/report.mjs"

const after = (source: string) => changesIn(source).map((change) => changed(source, change))

test.each([
  ["if (a < 1) go()", ["if (!(a < 1)) go()", "if (a <= 1) go()", "if (a < 2) go()", "if (a < 1) ;"]],
  ["const done = await saved && !open", ["const done = saved && !open", "const done = await saved || !open"]],
  ["let size = 1_000 - left", ["let size = 1001 - left", "let size = 1_000 + left"]],
  ["const text = 'a' + name", []],
  ["type Level = 1 | 2\nimport { x } from 'y'", []],
  ["const on: true = true", ["const on: true = false"]],
])("%s", (source, expected) => {
  expect(after(source)).toEqual(expected)
})

test("a change is shown as its line, before and after", () => {
  const source = "first()\n  return a === b\nlast()\n"
  const change = changesIn(source).find(({ text }) => text === "!==")
  expect(change && lineOf(source, change)).toEqual({ number: 2, before: "return a === b", after: "return a !== b" })
})

test("functions of a marked text do the same, and note when they are entered", () => {
  const source = `
    const add = (a) => (b) => ({ sum: a + b })
    function never() { return add }
    class Sum { get of() { return add(1)(2).sum } }
    new Sum().of`
  const hits: number[] = []
  expect(runInNewContext(marked("sum.ts", source), { reachedIn: () => hits })).toBe(3)
  expect(Object.keys(hits)).toEqual(["0", "1", "2", "4"])
})

test("a change that no test could notice is known from its page, and one that was not noticed is not", () => {
  const page = readFileSync("docs/mutation.md", "utf8")
  const [unnoticed = "", listed = ""] = page.split(/^## /m).slice(-2)
  const known = (text: string) => {
    const [, file = "", before = "", after = ""] = /^- `([^`]+)`: `(.*)` → `(.*?)`/m.exec(text) ?? []
    return isKnownUnseen({ file, line: { before, after } })
  }
  expect([known(unnoticed), known(listed)]).toEqual([false, true])
})

import { expect, test } from "vitest"
import type { Part } from "../../src/model/record/record.ts"
import { summaryReport } from "../../src/runner/compaction/compaction.ts"
import { summaryQuestion, summaryText } from "../../src/runner/compaction/summary-request.ts"
import { calls, message, picture, results } from "../history/picture.ts"

const request = summaryQuestion

test("a summary is the text of the answer: no reasoning, no media, no calls", () => {
  const content: Part[] = [
    { type: "reasoning", text: "secret thoughts" },
    { type: "text", text: "## Goal\nGo on." },
    { type: "image", mediaType: "image/png", data: "AAAA" },
    { type: "tool-call", call: "c", name: "Read", input: { path: "a" } },
    { type: "text", text: "## Done\nMuch." },
  ]
  expect(summaryText(content)).toBe("## Goal\nGo on.\n## Done\nMuch.")
})

test("an answer of reasoning or calls alone is an empty summary, and so is the repeated request", () => {
  expect(summaryText([{ type: "reasoning", text: "hm" }])).toBe("")
  expect(summaryText([{ type: "tool-call", call: "c", name: "Read", input: {} }])).toBe("")
  expect(summaryText([{ type: "text", text: ` ${request(undefined)}\n` }])).toBe("")
  expect(summaryText([{ type: "text", text: `${request(undefined)}\n\n## Goal\nGo on.` }])).toBe("## Goal\nGo on.")
})

test("a wish is added to the request; without one, or an empty one, it is the same request", () => {
  expect(request("the tests")).toBe(`${request(undefined)}\n\nPay special attention to: the tests`)
  expect(request(" ")).toBe(request(undefined))
})

test("the report counts what was replaced and names paths, numbers and names that are gone, most said first", () => {
  const tree = picture("p1 > a1 > t1 > a2", {
    p1: message("user", "prompt", "Move readConfig out of src/a.ts. readConfig is slow. Port 8080."),
    a1: {
      ...calls("x"),
      content: [{ type: "tool-call", call: "x", name: "Write", input: { path: "docs/new.md" } }],
    },
    t1: results("x"),
    a2: message("assistant", "agent", "max_retries is 5; loadAll in lib/b.ts, line 1234; readConfig again."),
  })
  const report = summaryReport(tree, [0, 1, 2, 3], "Port 8080 is kept, and loadAll.")
  expect(report.messages).toBe(4)
  expect(report.missing).toEqual(["readConfig", "1234", "docs/new.md", "lib/b.ts", "max_retries", "src/a.ts"])
})

test("a long text without spaces is read once, so that nothing else has to wait for the report", () => {
  const tree = picture("p1", { p1: message("user", "prompt", `${"x".repeat(2_000_000)} in src/a.ts`) })
  expect(summaryReport(tree, [0], "").missing).toEqual(["src/a.ts"])
})

test("the report names at most twenty, and counts characters", () => {
  const names = (count: number) => Array.from({ length: count }, (_, i) => `${1000 + i}`)
  const report = (count: number) =>
    summaryReport(picture("p1", { p1: message("user", "prompt", names(count).join(" ")) }), [0], "short")
  expect(report(20).missing).toEqual(names(20))
  expect(report(21).missing).toEqual(names(20))
  expect(report(2)).toMatchObject({ messages: 1, charactersBefore: 9, charactersAfter: 5 })
})

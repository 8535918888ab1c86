import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { diffLines } from "../../../src/model/text/diff-lines.ts"
import { merge3, settle } from "../../../src/workspace/text/merge.ts"

/** What git makes of the same three texts. */
function gitMerge(base: string, ours: string, theirs: string): string {
  const folder = mkdtempSync(join(tmpdir(), "retcon-merge-"))
  for (const [name, text] of Object.entries({ base, ours, theirs })) writeFileSync(join(folder, name), text)
  try {
    return execFileSync("git", ["merge-file", "-p", "ours", "base", "theirs"], { cwd: folder, encoding: "utf8" })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test("a text of which all but a few lines were indented merges with edits elsewhere, as in git", () => {
  const lines = Array.from({ length: 1600 }, (_, i) => (i % 40 < 5 ? `section ${i}\n` : `value ${i}\n`))
  const base = ["first\n", ...lines, "before the last\n", "last\n"].join("")
  const ours = base.replace("last\n", "last\nand mine\n").replace("section 802\n", "section 802, mine\n")
  const theirs = [
    "first\n",
    ...lines.map((line) => (line.startsWith("value") ? `  ${line}` : line)),
    "before the last\n",
    "last\n",
  ].join("")
  const merged = merge3(Buffer.from(base), Buffer.from(ours), Buffer.from(theirs))
  expect(merged.clashes).toEqual([])
  expect(settle(merged, "ours").toString()).toBe(gitMerge(base, ours, theirs))
})

test("two texts with the same lines in quite another order are cut where lines are unique", () => {
  const common = Array.from({ length: 4000 }, (_, i) => [`unique ${i}\n`, i % 2 === 0 ? "a\n" : "b\n"]).flat()
  const a = common.flatMap((line, i) => [line, `${"x".repeat(i % 7)}\n`])
  const b = common.flatMap((line, i) => [line, `${"x".repeat((i * 3 + 1) % 7)}\n`])
  const hunks = diffLines(a, b)
  expect(hunks.length).toBeGreaterThan(3000)
  const made: string[] = []
  let at = 0
  for (const { aStart, aEnd, bStart, bEnd } of hunks) {
    made.push(...a.slice(at, aStart), ...b.slice(bStart, bEnd))
    at = aEnd
  }
  expect([...made, ...a.slice(at)]).toEqual(b)
})

/** How many lines two texts can have in common, in order: by trying all. */
function mostInCommon(a: readonly string[], b: readonly string[]): number {
  let above = Array.from({ length: b.length + 1 }, () => 0)
  for (const line of a) {
    const row = [0]
    for (const [j, other] of b.entries())
      row.push(line === other ? (above[j] ?? 0) + 1 : Math.max(row[j] ?? 0, above[j + 1] ?? 0))
    above = row
  }
  return above[b.length] ?? 0
}

test("a difference makes one text of the other, and keeps as many lines as it can", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      const made: string[] = []
      let [at, kept] = [0, 0]
      for (const { aStart, aEnd, bStart, bEnd } of diffLines(a, b)) {
        made.push(...a.slice(at, aStart), ...b.slice(bStart, bEnd))
        kept += aStart - at
        at = aEnd
      }
      expect([...made, ...a.slice(at)]).toEqual(b)
      expect(kept + a.length - at).toBe(mostInCommon(a, b))
    }),
  )
})

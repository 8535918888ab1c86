import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { unifiedDiff } from "../../src/model/text/unified-diff.ts"
import { temporaryFolder } from "./setting.ts"

test("a change is shown with three lines around it", () => {
  const before = Array.from({ length: 20 }, (_, i) => `${i + 1}\n`).join("")
  expect(unifiedDiff("f", before, before.replace("10\n", "ten\n"))).toBe(
    "--- a/f\n+++ b/f\n@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n",
  )
})

test("a new file, an emptied one, a missing last newline, nothing at all", () => {
  expect(unifiedDiff("f", undefined, "a\n")).toBe("--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n")
  expect(unifiedDiff("f", "a\n", "")).toBe("--- a/f\n+++ b/f\n@@ -1,1 +0,0 @@\n-a\n")
  expect(unifiedDiff("f", "a\n", "a")).toBe("--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n")
  expect(unifiedDiff("f", "a", "a")).toBe("")
})

test("git makes the new text out of the old one and the diff", () => {
  const folder = temporaryFolder()
  const line = fc.constantFrom("a\n", "b\n", "c\n", "\n", "d\n")
  const text = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom("", "end"))
    .map(([lines, end]) => lines.join("") + end)
  fc.assert(
    fc.property(text, text, (before, after) => {
      if (before === after || before === "" || after === "") return
      writeFileSync(join(folder, "f"), before)
      execFileSync("git", ["apply", "--unidiff-zero", "-"], {
        cwd: folder,
        input: unifiedDiff("f", before, after),
        stdio: "pipe",
      })
      expect(readFileSync(join(folder, "f"), "utf8")).toBe(after)
    }),
    { numRuns: 60 },
  )
})

test("two texts with nothing in common are simply shown as replaced", () => {
  const lines = (letter: string) => Array.from({ length: 20_000 }, (_, i) => `${letter}${i}\n`).join("")
  expect(unifiedDiff("f", lines("a"), lines("b")).split("\n")).toHaveLength(40_000 + 4)
})

// Diffs as the page shows them.
import { expect, test } from "vitest"
import { editDiff } from "../../src/model/text/edit-diff.ts"
import { reversePatch } from "../../web/move/rewind.ts"
import { parsePatch } from "../../web/text/patch.ts"

const TWO = `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,3 @@
 one
+two
+--- a dash
-three
diff --git a/new file.txt b/new file.txt
new file mode 100644
--- /dev/null
+++ b/new file.txt
@@ -0,0 +1 @@
+hello
`

const rows = (patch: string) =>
  parsePatch(patch).map(({ path, added, removed, lines }) => [path, added, removed, lines.map(({ text }) => text)])

test("files, their counts and lines", () => {
  expect(rows(TWO)).toEqual([
    ["a.txt", 2, 1, ["@@ -1,2 +1,3 @@", " one", "+two", "+--- a dash", "-three"]],
    ["new file.txt", 1, 0, ["@@ -0,0 +1 @@", "+hello"]],
  ])
})

test("the other way round, removed lines still come first", () => {
  expect(rows(reversePatch(TWO))).toEqual([
    ["a.txt", 1, 2, ["@@ -1,3 +1,2 @@", " one", "-two", "---- a dash", "+three"]],
    ["new file.txt", 0, 1, ["@@ -1 +0,0 @@", "-hello"]],
  ])
})

test("what is no diff is shown as it is, without escape sequences", () => {
  expect(rows("plain\n\u001b[31mred\u001b[0m\n")).toEqual([["", 0, 0, ["plain", "red"]]])
})

test.each([
  ["an edit of ours", { path: "a", old: "x\ny\n", new: "x\nz\n" }, ["-y", "+z"]],
  ["of Claude Code", { file_path: "a", old_string: "y", new_string: "z" }, ["-y", "+z"]],
  ["several at once", { file_path: "a", edits: [{ oldText: "y", newText: "z" }] }, ["-y", "+z"]],
  ["a file that is written", { path: "a", content: "z\n" }, ["+z"]],
])("%s is a diff", (_, input, changed) => {
  const [file] = parsePatch(editDiff(input) ?? "")
  expect(file?.path).toBe("a")
  expect(file?.lines.filter(({ kind }) => kind === "added" || kind === "removed").map(({ text }) => text)).toEqual(
    changed,
  )
})

test("a command is none", () => {
  expect(editDiff({ command: "ls" })).toBeUndefined()
})

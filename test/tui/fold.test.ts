// What is folded, how it is shown, and how all of it can be read.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { makeFolded } from "../../src/tui/conversation/block.ts"
import { patchLines } from "../../src/tui/conversation/patch-lines.ts"
import { type ToolCall, toolBlock } from "../../src/tui/conversation/tool-block.ts"
import { makeTheme } from "../../src/tui/terminal/theme.ts"
import { makeStage } from "./stage.ts"

const plain = makeTheme({ colours: false })

test("long output keeps its end, and says how long it took", () => {
  const block = toolBlock(plain, makeFolded("ctrl+o"), { name: "Bash", title: "npm test" })
  const output = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`).join("\n")
  block.end({ output, error: false, took: 75_400 })
  expect(block.settle(60)).toEqual([
    "✓ Bash npm test · 1 min 15 s",
    "  line 1",
    "  line 2",
    "  … 24 more lines (ctrl+o)",
    "  line 27",
    "  line 28",
    "  line 29",
    "  line 30",
  ])
})

test("output is folded only when that saves a line", () => {
  const shown = (length: number) => {
    const block = toolBlock(plain, makeFolded("ctrl+o"), { name: "Bash", title: "ls" })
    block.end({ output: Array.from({ length }, (_, i) => `${i + 1}`).join("\n"), error: false })
    return block.settle(60).slice(1)
  }
  expect(shown(7)).toEqual(["  1", "  2", "  3", "  4", "  5", "  6", "  7"])
  expect(shown(8)).toEqual(["  1", "  2", "  … 2 more lines (ctrl+o)", "  5", "  6", "  7", "  8"])
})

test("a long command, its output and a diff continue on the next row, between words; even longer ones can be opened", () => {
  const folded = makeFolded("ctrl+o")
  const command = "grep -rn something src/one src/two src/three src/4"
  const block = toolBlock(plain, folded, { name: "Bash", title: command })
  block.end({ output: `a line that is wider than a narrow screen\n${"x".repeat(99)}`, error: false, took: 3_000 })
  expect(block.settle(40)).toEqual([
    "✓ Bash grep -rn something src/one",
    "       src/two src/three src/4 · 3.0 s",
    "  a line that is wider than a narrow",
    "  screen",
    `  ${"x".repeat(38)}`,
    `  ${"x".repeat(37)}…`,
  ])
  expect(folded.items).toHaveLength(1)
  const edit = toolBlock(plain, folded, {
    name: "Write",
    title: "a.txt",
    diff: "@@ -0,0 +1,2 @@\n+words that are wider than a narrow screen\n+two\n",
  })
  edit.end({ output: "", error: false })
  expect(edit.settle(40)).toEqual([
    "✓ Write a.txt",
    "  1 + words that are wider than a narrow",
    "      screen",
    "  2 + two",
  ])
  expect(folded.items).toHaveLength(1)
})

test("a diff has line numbers and code in colours, and no headers", () => {
  const diff =
    "diff --git a/x.ts b/x.ts\nnew file mode 100644\n--- /dev/null\n+++ b/x.ts\n@@ -9,3 +9,3 @@\n same\n---- x\n+++ y\n\\ No newline at end of file\n"
  expect(patchLines(diff, plain).map(({ text }) => text)).toEqual(["x.ts", " 9   same", "10 - --- x", "10 + ++ y"])
  const colours = makeTheme({ colours: true })
  const [line] = patchLines('@@ -0,0 +1,1 @@\n+const a = "b"', colours, "x.ts")
  expect(line?.paint(line.text)).toContain(colours.mark("const"))
  expect(line?.paint(line.text)).toContain(colours.good('"b"'))
})

test("the page of a diff has the same numbers and colours, and a long line continues under its own text", async () => {
  const stage = await makeStage({ rows: 40, columns: 60 })
  const long = `const long = "${"word ".repeat(20)}"`
  writeFileSync(join(stage.host.root, "b.ts"), `${["one", "two", "three"].join("\n")}\n`)
  stage.enter(`create a.ts with '${long}' then change two to 2 in b.ts`)
  await stage.idle(1)
  stage.enter("/diff")
  await stage.sees("Changes since the last prompt")
  await stage.sees(/\na\.ts\n1 \+ const long = "word [word ]+\n {4}word [word ]+\n/)
  await stage.sees(/\nb\.ts\n1 {3}one\n2 - two\n2 \+ 2\n3 {3}three\n/)
  expect(stage.text()).not.toMatch(/diff --git|^@@|^--- |^index /m)
})

test("a call that names its file does not name it twice, and how a command is called follows its name", () => {
  const theme = makeTheme({ colours: false })
  const shown = (call: ToolCall, files: { path: string; change: string }[] = []) => {
    const block = toolBlock(theme, makeFolded("ctrl+o"), call)
    block.end({ output: "", error: false, files, took: 119_700 })
    return block.settle(80)
  }
  const added = [{ path: "a.txt", change: "added" }]
  expect(shown({ name: "Write", title: "a.txt" }, added)).toEqual(["✓ Write a.txt · new file, 2 min 0 s"])
  expect(shown({ name: "Edit", title: "Edit a.txt" }, [{ path: "a.txt", change: "modified" }])).toEqual([
    "✓ Edit a.txt · 2 min 0 s",
  ])
  expect(shown({ name: "Bash", title: "Bash: touch a.txt" }, added)).toEqual([
    "✓ Bash touch a.txt · added a.txt, 2 min 0 s",
  ])
  expect(shown({ name: "Bash", title: "Bash, in the background, outside the sandbox: npm start" })).toEqual([
    "✓ Bash, in the background, outside the sandbox: npm start · 2 min 0 s",
  ])
  expect(shown({ name: "Task", title: "Tasks of today" })).toEqual(["✓ Task Tasks of today · 1 line, 2 min 0 s"])
})

test("ctrl+o shows any folded block of the session, the newest first, also after it is resumed", async () => {
  const stage = await makeStage({ rows: 40 })
  stage.enter('run "seq 1 30"')
  await stage.idle(1)
  stage.enter('run "seq 101 140"')
  await stage.idle(2)
  stage.press("ctrl+o")
  await stage.sees(/› Bash seq 101 140 +40 lines\n {2}Bash seq 1 30 +30 lines/)
  stage.press("down", "enter")
  await stage.sees(/Details · Bash seq 1 30[\s\S]*\n15\n16\n/)
  stage.press("escape", "escape", "ctrl+d")
  await stage.ended
  const again = await makeStage({ rows: 40, with: stage.host, parts: { start: { kind: "continue" } } })
  await again.sees("34 more lines")
  again.press("ctrl+o")
  await again.sees(/› Bash seq 101 140 +40 lines\n {2}Bash seq 1 30/)
})

// How much of something the conversation shows, at each limit, and in which words.
import { expect, test } from "vitest"
import type { MoveResult } from "../../src/model/move/moved.ts"
import { type Block, makeFolded, noticeBlock, promptBlock, todoLines } from "../../src/tui/conversation/block.ts"
import { noteLines, rule } from "../../src/tui/conversation/note-lines.ts"
import { patchLines } from "../../src/tui/conversation/patch-lines.ts"
import { reasoningBlock } from "../../src/tui/conversation/reasoning-block.ts"
import { type ToolEnd, toolBlock } from "../../src/tui/conversation/tool-block.ts"
import { makeTheme } from "../../src/tui/terminal/theme.ts"
import { movedFiles, unchangedFiles } from "../../src/tui/words/moved-files-words.ts"
import { refusalText } from "../../src/tui/words/refusal.ts"
import { unsentWords } from "../../src/tui/words/unsent-words.ts"

const theme = makeTheme({ colours: false })
const numbers = (count: number) => Array.from({ length: count }, (_, n) => `${n + 1}`)

function shown(block: Block, width = 40): string[] {
  block.finish()
  return block.settle(width)
}

function toolEnd(end: Partial<ToolEnd>, name = "Bash", width = 60): string[] {
  const block = toolBlock(theme, makeFolded("ctrl+o"), { name, title: "x" })
  block.end({ output: "", error: false, ...end })
  return block.settle(width)
}

test.each([
  [999, "✓ Bash x"],
  [1_000, "✓ Bash x · 1.0 s"],
  [9_949, "✓ Bash x · 9.9 s"],
  [9_950, "✓ Bash x · 10 s"],
  [59_499, "✓ Bash x · 59 s"],
  [59_500, "✓ Bash x · 1 min 0 s"],
  [125_000, "✓ Bash x · 2 min 5 s"],
])("a call of %d ms: %s", (took, line) => {
  expect(toolEnd({ took })).toEqual([line])
})

test("of what the agent reads, the person sees how much it was; of a failure, why", () => {
  expect(toolEnd({ output: "a\nb\n" }, "Read")).toEqual(["✓ Read x · 2 lines"])
  expect(toolEnd({ output: "no such file", error: true }, "Read")).toEqual(["✗ Read x", "  no such file"])
})

test("while it runs, the last five lines are shown; while it waits, that it waits", () => {
  const block = toolBlock(theme, makeFolded("ctrl+o"), { name: "Bash", title: "x" })
  expect(block.live(40)).toEqual(["● Bash x"])
  block.output(`${numbers(7).join("\n")}\n\n`)
  expect(block.live(40)).toEqual(["● Bash x", "  3", "  4", "  5", "  6", "  7"])
  block.status("half way")
  expect(block.live(40)[0]).toBe("● Bash x · half way")
  block.wait(true)
  expect([block.waiting, block.live(40)[0]]).toEqual([true, "● Bash x · waiting for you"])
  block.wait(false)
  block.finish()
  expect(block.settle(40)).toEqual(["✗ Bash x", "  interrupted"])
  block.wait(true)
  expect([block.waiting, block.done, block.live(40)]).toEqual([false, true, []])
})

test("a diff has 24 lines, and one more if that is the last", () => {
  const diff = (lines: number) => {
    const block = toolBlock(theme, makeFolded("ctrl+o"), {
      name: "Write",
      title: "a.txt",
      diff: `@@ -0,0 +1,${lines} @@\n${numbers(lines)
        .map((line) => `+${line}\n`)
        .join("")}`,
    })
    block.end({ output: "", error: false })
    return block.settle(40).slice(1)
  }
  expect(diff(25)).toHaveLength(25)
  expect(diff(26)).toHaveLength(25)
  expect(diff(26).at(-1)).toBe("  … 2 more lines (ctrl+o)")
})

test("a hunk without counts has one line of each, and what follows it is a header", () => {
  const diff = "@@ -3 +3 @@\n-a\n+b\n--- c\n+++ d\n@@ -9 +10 @@\n-x\n+y\n"
  expect(patchLines(diff, theme).map(({ text }) => text)).toEqual([" 3 - a", " 3 + b", "   ⋯", " 9 - x", "10 + y"])
})

test("of a prompt 24 lines are shown", () => {
  expect(shown(promptBlock(theme, numbers(24).join("\n")))).toHaveLength(24)
  const lines = shown(promptBlock(theme, `${numbers(26).join("\n")}\n`, "+"))
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(["↳ 1", "  2", "  … 2 more lines"])
  expect(shown(promptBlock(theme, "ls", "!"))).toEqual(["! ls"])
  expect(shown(promptBlock(theme, "hi"))).toEqual(["❯ hi"])
})

test("a notice has its sign, and its hint below it", () => {
  expect(shown(noticeBlock(theme, "error", "It broke.", "Try again."))).toEqual(["✗ It broke.", "  Try again."])
  expect(shown(noticeBlock(theme, "warning", "one two three", ""), 10)).toEqual(["! one two", "  three"])
  expect(shown(noticeBlock(theme, "info", "Done."))).toEqual(["· Done."])
})

test("of todos twelve are shown, from two before the first that is open", () => {
  const todos = (count: number, done: number) =>
    numbers(count).map((text, n) => ({
      text,
      status: n < done ? ("done" as const) : n === done ? ("doing" as const) : ("pending" as const),
    }))
  const lines = (count: number, done: number) => todoLines(theme, todos(count, done), 40)
  expect(lines(3, 1)).toEqual(["  ✓ 1", "  ▸ 2", "  ○ 3"])
  expect(lines(12, 12)).toHaveLength(12)
  expect(lines(20, 5)).toEqual([
    "  ✓ 4",
    "  ✓ 5",
    "  ▸ 6",
    ...numbers(20)
      .slice(6, 15)
      .map((text) => `  ○ ${text}`),
    "  … 8 more",
  ])
  expect(lines(20, 18)[0]).toBe("  ✓ 9")
  expect(lines(20, 20)[0]).toBe("  ✓ 1")
  expect(lines(20, 1)[0]).toBe("  ✓ 1")
})

test("of the prompt that a backtrack returned to 200 characters are shown, of its note 300", () => {
  const lines = (prompt: number, note: number) =>
    noteLines(
      { checkpoint: 2, discards: 1, note: "n".repeat(note), returnedTo: "p".repeat(prompt) },
      400,
      theme,
      "ctrl+o",
    )
  const text = (prompt: number, note: number) => lines(prompt, note).join("\n")
  expect(text(200, 300)).toContain(`Returned to: ${"p".repeat(200)}\n`)
  expect(text(201, 300)).toContain(`Returned to: ${"p".repeat(199)}…\n`)
  expect(text(200, 300)).toContain(`  ${"n".repeat(300)}\n`)
  expect(text(200, 302)).toContain(`  ${"n".repeat(300)}…\n  … 2 more characters (ctrl+o)\n`)
  expect(lines(1, 1)[1]).toBe("Discards 1 message. Undo with /undo")
  const bare = noteLines({ checkpoint: undefined, discards: 2, note: " ", returnedTo: null }, 40, theme, "ctrl+o")
  expect(bare).toEqual([
    rule("Went back with a summary", 40, (t) => t, theme),
    "Discards 2 messages. Undo with /undo",
    "─".repeat(40),
  ])
  expect(bare[0]).toBe(`─── Went back with a summary ${"─".repeat(11)}`)
})

test("what the agent thinks is one line, and all of it can be unfolded", () => {
  const folded = makeFolded("ctrl+o")
  const block = reasoningBlock(theme, folded)
  expect(block.live(40)).toEqual([])
  block.append("one two ")
  block.append("three")
  expect(block.live(40)).toEqual(["∴ thinking… one two three"])
  expect(block.settle(40)).toEqual([])
  block.finish()
  expect(block.settle(40)).toEqual(["∴ thought, 3 words: one two three"])
  expect([block.settle(40), block.live(40), block.done, folded.items]).toEqual([
    [],
    [],
    true,
    [{ title: "Thinking", text: "one two three" }],
  ])
  expect(shown(reasoningBlock(theme, folded, " \n"))).toEqual([])
  const dropped = reasoningBlock(theme, folded, "void")
  dropped.drop()
  expect(shown(dropped)).toEqual([])
})

test("what is folded is kept for 200 texts of two million characters, the newest", () => {
  const folded = makeFolded("ctrl+o")
  for (const text of numbers(201)) folded.add("title", text)
  expect([folded.items.length, folded.items[0]?.text]).toEqual([200, "2"])
  folded.add("title", "2")
  expect([folded.items.length, folded.items.at(-1)?.text, folded.items[0]?.text]).toEqual([200, "2", "3"])
  folded.add("long", "x".repeat(2_000_000))
  expect(folded.items.map(({ title }) => title)).toEqual(["long"])
  folded.add("other", "")
  expect(folded.items).toHaveLength(2)
  folded.add("more", "x")
  expect(folded.items.map(({ title }) => title)).toEqual(["other", "more"])
})

const answer = (more: object) =>
  ({
    outcome: "moved",
    kind: "goto",
    filesMode: "restore",
    files: [],
    kept: [],
    notCovered: [],
    ...more,
  }) as unknown as Exclude<MoveResult, { outcome: "refused" }>
const files = (count: number) => numbers(count).map((path) => ({ path, change: "modified" }))

test("of files that a move changed six are named", () => {
  expect(movedFiles(answer({ files: files(6) }))).toEqual([
    "Files restored too: modified 1, modified 2, modified 3, modified 4, modified 5, modified 6",
  ])
  expect(movedFiles(answer({ files: files(8), kind: "restore" }))[0]).toMatch(/^Files: .*modified 6 and 2 more$/)
  const stay = answer({ files: files(1), filesMode: "keep" })
  expect(movedFiles(stay, " Restore them with /restore.")).toEqual([
    "Files that differ from this point stay as they are: modified 1. Restore them with /restore",
  ])
  expect(
    movedFiles(answer({ files: files(1), filesMode: "keep", notRestorable: "a snapshot is gone" }), " x")[0],
  ).toMatch(/modified 1\. They cannot be restored: a snapshot is gone$/)
})

test("a command that still runs is named with 60 characters, also when no file changed", () => {
  const still = (length: number) =>
    movedFiles(answer({ stillRunning: [{ job: "job-1", command: "x".repeat(length) }] }))[0]
  expect(still(60)).toContain(`background: ${"x".repeat(60)}. To end it, ask the agent to end job-1, or leave retcon.`)
  expect(still(61)).toContain(`background: ${"x".repeat(59)}….`)
})

test("a restore that changed nothing says whether the files are as they were", () => {
  expect(unchangedFiles(answer({}))).toEqual({
    text: "The files are already as they were then. Nothing was changed.",
    kept: [],
  })
  const { text, kept } = unchangedFiles(answer({ kept: [{ path: "a", because: "changed-since" }] }))
  expect([text, kept]).toEqual(["Nothing was changed.", [expect.stringMatching(/^Kept a: /)]])
})

test("what was not sent is named by its first line, or shown whole when it could not be kept", () => {
  expect(unsentWords({ draft: { text: "x".repeat(61) } })).toBe(
    `Not sent, and kept for when you continue: ${"x".repeat(59)}….`,
  )
  expect(unsentWords({ draft: { text: "long\nb\nc", display: "[text]\nb\nc" } })).toBe(
    "Not sent, and kept for when you continue: [text] and 2 more lines.",
  )
  expect(unsentWords({ draft: { text: "a\nb" }, problem: "disk full" })).toBe(
    "Not sent, and it could not be kept (disk full):\na\nb",
  )
})

test("a refusal on one line ends with what to do, where there is something", () => {
  expect(refusalText({ code: "invalid", problem: "That is wrong.", advice: "" })).toBe("That is wrong.")
  expect(refusalText({ code: "invalid", problem: "That is wrong.", advice: "Do this." })).toBe(
    "That is wrong. Do this.",
  )
})

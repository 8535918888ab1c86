// What a person reads after a move, or before one.
import { expect, test } from "vitest"
import { type MoveWords, movedText } from "../../src/cli/move/moved-text.ts"
import { shortId } from "../../src/model/id.ts"
import type { Moved } from "../../src/model/move/moved.ts"
import { message, type Picture, picture } from "../history/picture.ts"

const WORDS: MoveWords = { did: "Went back", would: "Would go back" }

function said(tree: Picture, to: string | null, changes: Partial<Moved> = {}, words = WORDS, width = 80): string[] {
  const moved: Moved = {
    outcome: "moved",
    kind: "back",
    operation: null,
    from: null,
    head: to === null ? null : tree.idOf(to),
    left: 1,
    regained: 0,
    messages: 2,
    prompt: null,
    filesMode: "keep",
    files: [],
    kept: [],
    uncertain: [],
    notCovered: [],
    commits: [],
    ...changes,
  }
  return movedText(tree, moved, words, width).split("\n")
}

const tree = picture("p1 > a1 > c1 > p2 > a2", {
  p1: message("user", "prompt", "ask"),
  a1: message("assistant", "agent", "answer\nin lines"),
  a2: message("assistant", "agent", " "),
})

test("where we are now: the last message that says something, and who said it", () => {
  expect(said(tree, "c1")[1]).toBe(`Now at ${shortId(tree.idOf("c1"))}, agent: answer in lines`)
  expect(said(tree, "p1")[1]).toBe(`Now at ${shortId(tree.idOf("p1"))}, you: ask`)
  expect(said(tree, "c1", { outcome: "planned" })[1]).toMatch(/^Would be at /)
  expect(said(tree, null)[1]).toBe("Now at the start: the conversation is empty.")
  const narrow = said(tree, "c1", {}, WORDS, 20)
  expect(narrow.find((line) => line.startsWith("Now at"))).toHaveLength(20)
  expect(narrow.slice(0, 4).filter((line) => line.length > 20)).toEqual([])
  const system = picture("m1", { m1: message("system", "prompt", "Be brief.") })
  expect(said(system, "m1")[1]).toMatch(/, before the first message\.$/)
})

test("in a narrow terminal sentences about files break at words, and paths stay whole", () => {
  const path = "src/a-folder/with/a-rather-long-name/and-a-file.ts"
  const lines = said(tree, "a1", { files: [{ path, change: "deleted" }] }, WORDS, 40)
  const at = lines.findIndex((line) => line.startsWith("Files stay"))
  expect(lines.slice(at, at + 5)).toEqual([
    "Files stay as they are. 1 file differs",
    "from that point (to restore it too, take",
    "this back and repeat it with --files",
    "restore):",
    `  D ${path}`,
  ])
  // Before the move is made, the same command with the option does it.
  expect(said(tree, "a1", { outcome: "planned", files: [{ path, change: "deleted" }] }).join(" ")).toContain(
    "1 file differs from that point (restore it with --files restore):",
  )
})

test("what was left and what came back, in messages", () => {
  const first = (changes: Partial<Moved>) => said(tree, "a1", changes)[0]
  expect(first({})).toBe("Went back. 2 messages left behind, nothing is lost.")
  expect(first({ outcome: "planned", messages: 1 })).toBe("Would go back. 1 message left behind, nothing is lost.")
  expect(first({ messages: 0, regained: 2 })).toBe("Went back. 2 messages came back.")
  expect(first({ messages: 0, regained: 2, outcome: "planned" })).toBe("Would go back. 2 messages would come back.")
  expect(first({ messages: 0 })).toBe("Went back. 0 messages left behind, nothing is lost.")
  expect(first({ from: tree.idOf("a1") })).toBe("Went back. The conversation stays.")
  expect(first({ outcome: "unchanged" })).toMatch(/already.* Nothing was changed\.$/)
  expect(first({ outcome: "unchanged", kind: "restore" })).toBe(
    "The files are already as they were then. Nothing was changed.",
  )
})

test("the way back takes back all steps of this call", () => {
  const way = (changes: Partial<Moved>, words: Partial<MoveWords> = {}) =>
    said(tree, "a1", changes, { ...WORDS, ...words }).at(-2)
  expect(way({})).toBe("Take this back with: retcon undo")
  expect(way({ kind: "undo" })).toBe("Take this back with: retcon redo")
  expect(way({}, { step: 2, which: " -s s1" })).toBe("Take this back with: retcon undo 2 -s s1")
  expect(way({ outcome: "planned" })).not.toContain("Take this back")
  expect(said(tree, "a1", {}, { ...WORDS, resume: "claude --resume s1" })).toContain("Continue in claude --resume s1")
})

test("a dry run says what it would cost, and who is in the way", () => {
  const cost = { cached: 1, cachedTokens: 20, againTokens: 3 }
  const lines = said(tree, "a1", { outcome: "planned", cost, busy: { pid: 7 } })
  expect(lines).toContain("The prompt cache keeps 1 message (about 20 tokens).")
  expect(lines).toContain("About 3 tokens would be sent again.")
  expect(lines.join("\n")).toContain("process 7 has this session open")
  expect(said(tree, "a1", { outcome: "planned", busy: { pid: 0 } }).join("\n")).toContain("another process has")
})

test("only if files differ does it say why they cannot be restored", () => {
  const modes = { conversation: null, files: "there are no snapshots.", both: "there are no snapshots." }
  const planned = { outcome: "planned" as const, modes, cost: { cached: 0, cachedTokens: 0, againTokens: 0 } }
  const files = [{ path: "a.txt", change: "modified" }]
  expect(said(tree, "a1", { ...planned, files })).toContain("Only the conversation can move: there are no snapshots.")
  expect(said(tree, "a1", planned).join()).not.toContain("Only the conversation")
  expect(said(tree, "a1", { ...planned, files, modes: { ...modes, files: null } }).join()).not.toContain(
    "Only the conv",
  )
})

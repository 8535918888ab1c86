// What is said after a move and on leaving, and how much of what was folded is remembered.
import { expect, test } from "vitest"
import type { MoveResult } from "../../../src/model/move/moved.ts"
import { makeFolded } from "../../../src/tui/conversation/block.ts"
import { nextMode, parseMode } from "../../../src/tui/words/mode-words.ts"
import { movedFiles, unchangedFiles } from "../../../src/tui/words/moved-files-words.ts"
import { unsentWords } from "../../../src/tui/words/unsent-words.ts"

type Answer = Exclude<MoveResult, { outcome: "refused" }>
const answer = (more: object): Answer =>
  ({
    outcome: "moved",
    kind: "back",
    filesMode: "keep",
    files: [],
    kept: [],
    notCovered: [],
    ...more,
  }) as unknown as Answer
const files = (length: number) => Array.from({ length }, (_, n) => ({ path: `${n + 1}`, change: "modified" }))

test("up to six files of a move are named, the others counted", () => {
  const six = "modified 1, modified 2, modified 3, modified 4, modified 5, modified 6"
  const restored = (length: number) => movedFiles(answer({ filesMode: "restore", files: files(length) }))
  expect(restored(6)).toEqual([`Files restored too: ${six}`])
  expect(restored(8)).toEqual([`Files restored too: ${six} and 2 more`])
  expect(movedFiles(answer({ kind: "restore", filesMode: "restore", files: files(1) }))).toEqual(["Files: modified 1"])
  expect(restored(0)).toEqual([])
})

test("files that stay are named with how to restore them, or why nobody can", () => {
  const stay = answer({ files: files(1) })
  const said = "Files that differ from this point stay as they are: modified 1."
  expect(movedFiles(stay, " Restore them with /restore.")).toEqual([`${said} Restore them with /restore`])
  expect(movedFiles({ ...stay, notRestorable: "no snapshot." }, " x")).toEqual([
    `${said} They cannot be restored: no snapshot`,
  ])
})

test("a command that still runs is named, with how to end it", () => {
  const stillRunning = [{ job: "bash-1", command: `npm start ${"x".repeat(80)}` }]
  const [line = ""] = movedFiles(answer({ stillRunning }))
  expect(line).toMatch(
    /^Still running in the background: npm start x{49}…\. To end it, ask the agent to end bash-1, or/,
  )
})

test("a restore that changes nothing says so, unless something stays for a reason", () => {
  expect(unchangedFiles(answer({}))).toEqual({
    text: "The files are already as they were then. Nothing was changed.",
    kept: [],
  })
  const kept = [{ path: "a", because: "asked" }]
  expect(unchangedFiles(answer({ kept })).text).toBe("Nothing was changed.")
})

test("text that was not sent is named by its first line; text that could not be kept is printed whole", () => {
  const unsent = (text: string, more: object = {}) => unsentWords({ draft: { text }, ...more })
  expect(unsent("one")).toBe("Not sent, and kept for when you continue: one.")
  expect(unsent("one\ntwo\nthree")).toBe("Not sent, and kept for when you continue: one and 2 more lines.")
  expect(unsent("x".repeat(61))).toBe(`Not sent, and kept for when you continue: ${"x".repeat(59)}….`)
  expect(unsent("x".repeat(60))).toBe(`Not sent, and kept for when you continue: ${"x".repeat(60)}.`)
  expect(unsent("one\ntwo", { problem: "the disk is full" })).toBe(
    "Not sent, and it could not be kept (the disk is full):\none\ntwo",
  )
})

test("the last 200 folded texts are remembered, and at most two million characters of them", () => {
  const folded = makeFolded("ctrl+o")
  for (let n = 0; n < 200; n++) folded.add(`${n}`, "x")
  expect(folded.items).toHaveLength(200)
  folded.add("200", "x")
  expect([folded.items.length, folded.items[0]?.title]).toEqual([200, "1"])
  folded.add("long", "y".repeat(1_999_801))
  expect(folded.items).toHaveLength(200)
  folded.add("longer", "zz")
  expect(folded.items[0]?.title).toBe("4")
  folded.add("huge", "y".repeat(3_000_000))
  expect(folded.items.map(({ title }) => title)).toEqual(["huge"])
})

test("a text that is folded again is the newest, once", () => {
  const folded = makeFolded("ctrl+o")
  for (const title of ["a", "b", "a"]) folded.add(title, "x")
  expect(folded.items.map(({ title }) => title)).toEqual(["b", "a"])
  folded.add("b", "other")
  expect(folded.items.map(({ title }) => title)).toEqual(["b", "a", "b"])
})

test("modes follow each other in a circle, and are known in any case", () => {
  expect(["plan", "default", "autoEdit", "yolo"].map((mode) => nextMode(mode as never))).toEqual([
    "default",
    "autoEdit",
    "yolo",
    "plan",
  ])
  expect([parseMode("AUTOEDIT"), parseMode("none")]).toEqual(["autoEdit", undefined])
})

// Hooks that were installed in the middle of a session: what came before them is in Claude Code's own copies.
import { beforeEach, expect, test } from "vitest"
import { type Call, ClaudeAtWork } from "./claude-at-work.ts"

let claude: ClaudeAtWork

function changes(name: string, files: Record<string, string>): Call {
  const does = () => {
    for (const [path, text] of Object.entries(files)) claude.put(path, text)
  }
  return { name, input: {}, does }
}

/** Two rounds without hooks, of which Claude Code kept copies, and one with hooks. */
beforeEach(async () => {
  claude = new ClaudeAtWork()
  claude.put("a.txt", "one\n")
  claude.put("person.txt", "mine\n")
  claude.hooked = false
  await claude.round("first", [changes("Write", { "a.txt": "two\n" })])
  claude.keepCopies({ "a.txt": "one\n" })
  await claude.round("second", [changes("Write", { "new.txt": "new\n" })])
  claude.keepCopies({ "a.txt": "two\n", "new.txt": null })
  claude.hooked = true
  await claude.round("third", [changes("Bash", { "a.txt": "three\n", "made.txt": "made\n" })])
  claude.keepCopies({ "a.txt": "two\n", "new.txt": "new\n" })
  claude.put("person.txt", "mine, edited\n")
})

const files = () => ["a.txt", "new.txt", "made.txt", "person.txt"].map((path) => claude.get(path))
const NOW = ["three\n", "new\n", "made\n", "mine, edited\n"]
const WORDS = "From copies that Claude Code made"

test("restore to before the hooks takes back what they saw and what the copies show; undo brings all back", async () => {
  const dry = await claude.done(`restore @1 -s ${claude.name} --dry-run`)
  expect(dry).toContain(WORDS)
  expect(dry).not.toContain("not covered by snapshots here")
  expect(files()).toEqual(NOW)
  await claude.done(`restore @1 -s ${claude.name}`)
  expect(files()).toEqual(["one\n", undefined, undefined, "mine, edited\n"])
  expect(await claude.done(`restore @1 -s ${claude.name}`)).toContain("Nothing was changed")
  await claude.done(`undo -s ${claude.name}`)
  expect(files()).toEqual(NOW)
})

test("each point has the files its round began with; where the hooks ran, only they count", async () => {
  expect(await claude.done(`restore @3 -s ${claude.name}`)).not.toContain(WORDS)
  expect(files()).toEqual(["two\n", "new\n", undefined, "mine, edited\n"])
  await claude.done(`restore @2 -s ${claude.name}`)
  expect(files()).toEqual(["two\n", undefined, undefined, "mine, edited\n"])
})

test("a move to before the hooks restores the files, and so does its undo", async () => {
  const there = `-s ${claude.name} --even-if-running`
  expect(await claude.done(`goto @1 ${there} --files restore`)).toContain(WORDS)
  expect(files()).toEqual(["one\n", undefined, undefined, "mine, edited\n"])
  await claude.done(`undo ${there}`)
  expect(files()).toEqual(NOW)
})

test("what the person changed since in a file with a copy is not lost", async () => {
  claude.put("new.txt", "new\nand mine\n")
  expect(await claude.done(`restore @1 -s ${claude.name}`)).toContain("Kept as it is: new.txt")
  expect(claude.get("new.txt")).toBe("new\nand mine\n")
})

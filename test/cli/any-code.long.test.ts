// diff, restore and moves from the commits that Any-code notes for prompts of Claude Code, in a real repository.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import type { JsonObject } from "../../src/model/json.ts"
import { answer, prompt, SESSION, uuid } from "../formats/claude-code/lines.ts"
import { git } from "../workspace/folder.ts"
import { FilesBench } from "./files-bench.ts"

let bench: FilesBench
let config: string
let commits: string[]

function commit(files: Record<string, string | null>): void {
  for (const [path, text] of Object.entries(files)) {
    if (text === null) bench.remove(path)
    else bench.put(path, text)
  }
  git(bench.cwd, "add", "-A")
  git(bench.cwd, "commit", "-qm", "round")
  commits.push(git(bench.cwd, "rev-parse", "HEAD").trim())
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function session(more: readonly object[] = []): void {
  const lines = [
    prompt("u1", null, "first"),
    answer("a1", "u1"),
    prompt("u2", "a1", "second"),
    answer("a2", "u2"),
    ...more,
  ] as JsonObject[]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("")
  const file = join(config, "projects", "-project", `${SESSION}.jsonl`)
  put(file, text.replaceAll('"/home/you/project"', JSON.stringify(bench.cwd)))
}

function note(records: object): void {
  put(join(config, "projects", "-project", "sessions", `${SESSION}.git-records.json`), JSON.stringify(records, null, 2))
}

const at = (before: string | undefined, after?: string) => ({
  commitBefore: before,
  ...(after !== undefined && { commitAfter: after }),
  timestamp: 1_790_000_000_000,
})

/** Two rounds, each committed: the first by commands that change, create and delete, the second changes again. */
beforeEach(() => {
  bench = new FilesBench()
  config = join(bench.folder, "person", ".claude")
  commits = []
  git(bench.cwd, "init", "-q")
  commit({ "src/a.txt": "one\n", "old.txt": "old\n", "mine.txt": "mine\n" })
  commit({ "src/a.txt": "two\n", "old.txt": null, "made/new.txt": "new\n" })
  commit({ "src/a.txt": "three\n" })
  session()
  note({ 0: at(commits[0], commits[1]), 1: at(commits[1], commits[2]) })
  bench.put("mine.txt", "mine, edited\n")
})

const files = () => ["src/a.txt", "old.txt", "made/new.txt", "mine.txt"].map((path) => bench.get(path))
const FIRST = ["one\n", "old\n", undefined, "mine, edited\n"]
const SECOND = ["two\n", undefined, "new\n", "mine, edited\n"]
const NOW = ["three\n", undefined, "new\n", "mine, edited\n"]
const WORDS = "Commits that Any-code recorded add what was committed in each round.\n"

test("diff shows what the rounds committed, also from packs, and says where that is from", async () => {
  git(bench.cwd, "gc", "-q")
  const { out, err } = await bench.run(["diff", "@1", "--stat", "-s", SESSION])
  expect(out).toBe("A made/new.txt  +1 −0\nD old.txt  +0 −1\nM src/a.txt  +1 −1\n3 files differ.\n")
  expect(err).toContain(WORDS)
})

test("prompts --json has the commits around each round", async () => {
  const listed = JSON.parse((await bench.run(["prompts", "--json", "-s", SESSION])).out) as { repositories: unknown }[]
  expect(listed.map(({ repositories }) => repositories)).toEqual([
    [{ path: "", before: commits[0], after: commits[1] }],
    [{ path: "", before: commits[1], after: commits[2] }],
  ])
  const last = JSON.parse((await bench.run(["prompts", "--limit", "1", "--json", "-s", SESSION])).out)
  expect(last).toMatchObject([{ repositories: [{ before: commits[1], after: commits[2] }] }])
})

test("restore brings back the files of the commit before a prompt, the person's other files stay, undo takes it back", async () => {
  await bench.done(`restore @1 -s ${SESSION}`)
  expect(files()).toEqual(FIRST)
  await bench.done(`undo -s ${SESSION}`)
  expect(files()).toEqual(NOW)
  expect(git(bench.cwd, "rev-parse", "HEAD").trim()).toBe(commits[2])
})

test("a move can restore the files", async () => {
  await bench.done(`back -s ${SESSION} --files restore --even-if-running`)
  expect(files()).toEqual(SECOND)
  await bench.done(`undo -s ${SESSION} --even-if-running`)
  expect(files()).toEqual(NOW)
})

test("a session in a folder of the repository gets the files of that folder", async () => {
  const top = bench.cwd
  bench.cwd = join(top, "src")
  session()
  await bench.done(`restore @1 -s ${SESSION}`)
  bench.cwd = top
  expect(files()).toEqual(["one\n", undefined, "new\n", "mine, edited\n"])
})

test("a copy of Claude Code itself comes before a commit of the same prompt", async () => {
  const backups = { "src/a.txt": { backupFileName: "aaaa@v1", version: 1 } }
  const messageId = uuid("u2")
  session([{ type: "file-history-snapshot", messageId, snapshot: { messageId, trackedFileBackups: backups } }])
  put(join(config, "file-history", SESSION, "aaaa@v1"), "not committed\n")
  await bench.done(`restore @2 -s ${SESSION}`)
  expect(bench.get("src/a.txt")).toBe("not committed\n")
  await bench.done(`restore @1 -s ${SESSION}`)
  expect(files()).toEqual(FIRST)
})

test("a round whose end was not recorded ended where the next began; one without a commit is left out", async () => {
  note({ 0: at(commits[0]), 1: at(commits[1]) })
  await bench.done(`restore @1 -s ${SESSION}`)
  expect(files()).toEqual(FIRST)
  await bench.done(`undo -s ${SESSION}`)
  note({ 0: at("NONE", commits[1]), 1: at(commits[1], commits[2]) })
  await bench.done(`restore @1 -s ${SESSION}`)
  expect(files()).toEqual(SECOND)
})

test.each([
  ["no JSON", "{"],
  ["a list", "[]"],
  ["odd values", JSON.stringify({ 0: null, 1: { commitBefore: "", commitAfter: 7 }, x: {} })],
  ["unknown commits", JSON.stringify({ 0: at("a".repeat(40), "b".repeat(40)) })],
])("notes that say nothing change nothing: %s", async (_, text) => {
  put(join(config, "projects", "-project", "sessions", `${SESSION}.git-records.json`), text)
  expect(await bench.done(`restore @1 -s ${SESSION}`)).toContain("Nothing was changed")
  expect(files()).toEqual(NOW)
})

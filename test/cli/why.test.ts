// retcon why and retcon edits: which prompt is behind a line or a commit, and what agents changed, in a real repository.
import { join } from "node:path"
import { expect, test } from "vitest"
import type { EditsAnswer, WhyAnswer } from "../../src/protocol/library.ts"
import { git } from "../workspace/folder.ts"
import { ClaudeBench } from "./mcp/claude-bench.ts"

function benchWithCommit(): ClaudeBench {
  const bench = new ClaudeBench()
  for (const [key, value] of [
    ["user.name", "you"],
    ["user.email", "you@example.org"],
  ] as const)
    git(bench.cwd, "config", key, value)
  bench.put("a.txt", "one\n")
  git(bench.cwd, "add", "-A")
  git(bench.cwd, "commit", "-qm", "By hand")
  return bench
}

const edit = (bench: ClaudeBench, before: string, after: string, file = "a.txt") => {
  const file_path = join(bench.cwd, file)
  return { input: { file_path, old_string: before, new_string: after } }
}

async function why(bench: ClaudeBench, place: string): Promise<WhyAnswer> {
  const { exit, out, err } = await bench.run(["why", place, "--json"])
  expect({ exit, err }).toEqual({ exit: 0, err: "" })
  return JSON.parse(out) as WhyAnswer
}

/** Commits as an agent's shell does, and returns what git answers. */
function commit(bench: ClaudeBench, message: string): string {
  git(bench.cwd, "add", "-A")
  return git(bench.cwd, "commit", "-m", message)
}

const graded = ({ writers }: WhyAnswer) => writers.map(({ grade, asked }) => [grade, asked])

test("recorded: snapshots show the line, and that the repository came to the commit in that round", async () => {
  const bench = benchWithCommit()
  bench.prompt("add two")
  await bench.call("Edit", () => bench.put("a.txt", "one\ntwo\n"), "watched", edit(bench, "one\n", "one\ntwo\n"))
  await bench.call("Bash", () => void commit(bench, "Two"), "watched")
  expect(graded(await why(bench, "a.txt:2"))).toEqual([["recorded", "add two"]])
  const answer = await why(bench, "HEAD")
  expect(graded(answer)).toEqual([["recorded", "add two"]])
  expect(answer.commit).toMatchObject({ subject: "Two", top: bench.cwd })
  expect((await bench.run(["why", answer.commit?.commit.slice(0, 8) ?? ""])).out).toMatch(
    /^commit \w{10} {2}just now {2}Two\n\nRecorded: the repository came to this commit in that round\.\n {2}\w{6} {2}Claude Code/,
  )
})

test("said: without snapshots, a call has the line, and git answered with the commit", async () => {
  const bench = benchWithCommit()
  bench.prompt("add two")
  await bench.call("Edit", () => bench.put("a.txt", "one\ntwo\n"), "unwatched", edit(bench, "one", "one\ntwo"))
  expect(graded(await why(bench, "a.txt:2"))).toEqual([["said", "add two"]])
  const answered = commit(bench, "Two")
  await bench.call("Bash", () => undefined, "unwatched", { says: answered })
  expect(graded(await why(bench, "HEAD"))).toEqual([["said", "add two"]])
  // Another session that only shows the log did not make it.
  bench.prompt("what is new?", "22222222-2222-4222-8222-222222222222")
  bench.answer(git(bench.cwd, "log", "--oneline"), "22222222-2222-4222-8222-222222222222")
  expect(graded(await why(bench, "HEAD"))).toEqual([["said", "add two"]])
})

test("likely: the person commits what an agent has written", async () => {
  const bench = benchWithCommit()
  bench.prompt("add two and three")
  await bench.call(
    "Edit",
    () => bench.put("a.txt", "one\ntwo\nthree\n"),
    "unwatched",
    edit(bench, "one", "one\ntwo\nthree"),
  )
  bench.prompt("and another file")
  await bench.call("Write", () => bench.put("b.txt", "else\n"), "unwatched", {
    input: { file_path: join(bench.cwd, "b.txt"), content: "else\n" },
  })
  git(bench.cwd, "add", "a.txt")
  git(bench.cwd, "commit", "-qm", "Mine")
  const answer = await why(bench, "HEAD")
  expect(graded(answer)).toEqual([["likely", "add two and three"]])
  expect(answer.writers[0]?.because).toBe("its edits before the commit have 2 of the 2 lines that it added")
})

test("never recorded without a record: what nobody wrote is nobody's", async () => {
  const bench = benchWithCommit()
  bench.prompt("look around")
  await bench.call("Read", () => undefined)
  expect(await why(bench, "a.txt:1")).toMatchObject({ commit: { subject: "By hand" }, writers: [] })
  expect((await why(bench, "HEAD")).writers).toEqual([])
  expect((await bench.run(["why", "HEAD"])).out).toContain("No session on this machine says who wrote it")
})

test("an edit after the commit, or one that failed, is not behind it", async () => {
  const bench = benchWithCommit()
  bench.prompt("try")
  await bench.call("Edit", () => undefined, "unwatched", {
    ...edit(bench, "one", "one\ntwo"),
    says: "no match",
    failed: true,
  })
  bench.put("a.txt", "one\ntwo\n")
  commit(bench, "Mine")
  expect((await why(bench, "HEAD")).writers).toEqual([])
})

test("what is no line and no commit is said", async () => {
  const bench = benchWithCommit()
  bench.prompt("hello")
  expect((await bench.run(["why", "a.txt"])).err).toContain("retcon why a.txt:1")
  expect((await bench.run(["why", "a.txt:9"])).err).toContain("has only 1 line.")
  expect((await bench.run(["why", "0123456"])).err).toContain('There is no commit "0123456" here.')
  expect((await bench.run(["why", "../../etc"])).exit).not.toBe(0)
})

async function edits(bench: ClaudeBench, ...words: string[]): Promise<EditsAnswer> {
  return JSON.parse((await bench.run(["edits", "--json", ...words])).out) as EditsAnswer
}

test("edits: what agents changed, with the prompt and the diff; failed calls changed nothing", async () => {
  const bench = benchWithCommit()
  bench.prompt("add two")
  await bench.call("Edit", () => undefined, "unwatched", edit(bench, "one", "one\ntwo"))
  await bench.call("Edit", () => undefined, "unwatched", { ...edit(bench, "x", "y"), says: "no match", failed: true })
  await bench.call("Read", () => undefined)
  bench.prompt("another file")
  const input = { file_path: join(bench.cwd, "sub/b.txt"), content: "else\nmore\n" }
  await bench.call("Write", () => undefined, "unwatched", { input })
  const answer = await edits(bench, "--diff")
  expect(answer).toMatchObject({ total: 2, next: null, leftOut: [] })
  expect(answer.edits.map(({ path, asked, added, removed, diff }) => ({ path, asked, added, removed, diff }))).toEqual([
    {
      path: join(bench.cwd, "sub/b.txt"),
      asked: "another file",
      added: 2,
      removed: 0,
      diff: "@@ -0,0 +1,2 @@\n+else\n+more\n",
    },
    { path: join(bench.cwd, "a.txt"), asked: "add two", added: 1, removed: 0, diff: "@@ -1,1 +1,2 @@\n one\n+two\n" },
  ])
  // What is remembered says the same, and a session that grows is read again.
  expect(await edits(bench, "--diff")).toEqual(answer)
  bench.prompt("more")
  await bench.call("Edit", () => undefined, "unwatched", edit(bench, "two", "2"))
  expect((await edits(bench)).total).toBe(3)
  expect((await edits(bench, "--path", "sub")).edits.map(({ asked }) => asked)).toEqual(["another file"])
  expect((await edits(bench, "--agent", "codex")).total).toBe(0)
  const first = await edits(bench, "--limit", "1")
  expect(first).toMatchObject({ total: 3, edits: [{ asked: "more" }] })
  const { out } = await bench.run(["edits", "--by", "file", "--diff"])
  expect(out).toMatch(/a\.txt {2}2 edits, \+2 −1\n/)
  expect(out).toContain("    +two\n")
})

test("edits: a line of the edits' diff in the terminal cannot move the cursor", async () => {
  const bench = benchWithCommit()
  bench.prompt("evil \u001b[2J")
  await bench.call("Edit", () => undefined, "unwatched", edit(bench, "one", "\u001b[2Jtwo"))
  const { out } = await bench.run(["edits", "--diff"])
  expect(out).toContain("two")
  expect(out).not.toContain("\u001b")
})

// Lines that another agent wrote without our hooks are not called the person's.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { Bench } from "./bench.ts"
import { ClaudeBench, say } from "./mcp/claude-bench.ts"

/** A session of Claude Code that edits shop.ts with a tool, after it has looked for a word in it. */
function putSession(bench: Bench): void {
  const folder = join(bench.folder, "person/.claude/projects/-project")
  mkdirSync(folder, { recursive: true })
  const session = "11111111-2222-4333-8444-555555555555"
  const file_path = join(bench.cwd, "shop.ts")
  const edit = { file_path, old_string: "const old = 1", new_string: "const price = 12\n\nconst sale = 3" }
  const rows = [
    { type: "user", message: { role: "user", content: "raise the price" } },
    ...[
      { type: "tool_use", id: "toolu_1", name: "Grep", input: { path: file_path, pattern: "export { total }" } },
      { type: "tool_use", id: "toolu_2", name: "Edit", input: edit },
    ].map((block) => ({ type: "assistant", message: { id: `msg_${block.id}`, role: "assistant", content: [block] } })),
  ]
  const lines = rows.map((row, i) => {
    const [uuid, parentUuid] = [i + 1, i].map((n) => (n === 0 ? null : `00000000-0000-4000-8000-00000000000${n}`))
    return JSON.stringify({
      ...row,
      uuid,
      parentUuid,
      sessionId: session,
      cwd: bench.cwd,
      timestamp: "2026-01-01T00:00:00.000Z",
    })
  })
  writeFileSync(join(folder, `${session}.jsonl`), `${lines.join("\n")}\n`)
}

test("a line that its call has is that prompt's, and what cannot be known is said", async () => {
  const bench = new Bench()
  putSession(bench)
  await bench.session(1)
  bench.file("shop.ts", "const old = 1\nconst price = 12\n\nconst sale = 3\nexport { total }\n")
  const { out, err, exit } = await bench.run(["blame", "shop.ts"])
  expect([exit, out.split("\n").map((line) => line.slice(0, 23).trim())]).toEqual([
    0,
    [
      "you, or before",
      expect.stringMatching(/^[0-9a-f]{6}~ raise the price$/),
      expect.stringMatching(/^[0-9a-f]{6}~ raise the price$/),
      expect.stringMatching(/^[0-9a-f]{6}~ raise the price$/),
      "you, or before",
      "",
    ],
  ])
  expect(err).toMatch(/^Session \w{6} of Claude Code: raise the price\n~ There are no snapshots of this/)
  expect(err.replace(/\s+/g, " ")).toContain(
    '1 session of Claude Code has no snapshots: a line that a command wrote there counts as "you, or before".',
  )
})

test("a line of which a call's input has only a part is that prompt's too; a checkpoint covers no call", async () => {
  const bench = new ClaudeBench()
  bench.put("a.txt", "total:\n    return 1\n")
  bench.prompt("return two")
  const client = await bench.connect()
  await say(client, "checkpoint")
  const hunk = { oldStart: 2, oldLines: 1, newStart: 2, newLines: 1, lines: ["-    return 1", "+    return 2"] }
  const filePath = join(bench.cwd, "a.txt")
  await bench.call("Edit", () => bench.put("a.txt", "total:\n    return 2\n"), "unwatched", {
    input: { file_path: filePath, old_string: "1", new_string: "2" },
    result: { filePath, oldString: "1", newString: "2", structuredPatch: [hunk], userModified: false },
  })
  const { out, err } = await bench.run(["blame", "a.txt"])
  expect(out).toMatch(/^you, or before +1 {2}total:\n[0-9a-f]{6}~ return two +2 {6}return 2\n$/)
  expect(err).toContain("1 session of Claude Code has no snapshots")
})

test("of calls that hooks missed, a line that one has is its prompt's, and a note says what is not known", async () => {
  const bench = new ClaudeBench()
  bench.put("a.txt", "one\n")
  const added = (line: string) => () => bench.put("a.txt", `${bench.get("a.txt")}${line}\n`)
  const edits = (line: string) => ({ input: { file_path: join(bench.cwd, "a.txt"), old_string: "", new_string: line } })
  bench.prompt("with a snapshot")
  await bench.call("Edit", added("two"), "watched", edits("two"))
  expect((await bench.run(["blame", "a.txt"])).err).not.toContain("snapshots")
  bench.prompt("without")
  await bench.call("Edit", added("three"), "unwatched", edits("three"))
  await bench.call("Bash", added("four"))
  const { out, err } = await bench.run(["blame", "a.txt"])
  const who = ["you, or before", "\\w{6} with a snapshot", "\\w{6}~ without", "you, or before"]
  expect(out).toMatch(new RegExp(who.map((name, i) => `^${name} +${i + 1} `).join(".*\\n"), "m"))
  expect(err.replace(/\s+/g, " ")).toContain(
    '1 session of Claude Code has snapshots of some calls only: a line that a command wrote without them counts as "you, or before".',
  )
})

test("a session that does not mention the file is not opened, and one without snapshots is counted", async () => {
  const bench = new Bench()
  putSession(bench)
  bench.file("other.ts", "one\n")
  const { out, err } = await bench.run(["blame", "other.ts"])
  expect(out).toBe(`${"you, or before".padEnd(30)} 1  one\n`)
  expect(err).toContain("1 session of Claude Code has no snapshots")
})

test("a folder, a file that is not there, and a place without sessions are refused with the reason", async () => {
  const bench = new Bench()
  bench.file("a.txt", "one\n")
  expect((await bench.run(["blame", "a.txt"])).err).toContain("There is no session in")
  await bench.session(1)
  expect((await bench.run(["blame", "."])).err).toContain(". is a folder.")
  expect((await bench.run(["blame", "none.txt"])).err).toContain("There is no file")
  expect((await bench.run(["blame", "a.txt", "2"])).err).toContain("a.txt has no line 2.")
})

// Restores in sessions of Claude Code without hooks and without its copies of files, such as those of `claude -p`: from what its
// session file tells of each call.
import { mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import type { Moved } from "../../src/model/move/moved.ts"
import { ClaudeAtWork } from "./hook/claude-at-work.ts"
import { bash, edit, write } from "./hook/claude-tools.ts"
import { putRecorded } from "./recorded-claude.ts"

let bench: ClaudeAtWork
beforeEach(() => {
  bench = new ClaudeAtWork()
  bench.hooked = false
})

function contents(...paths: string[]): (string | undefined)[] {
  return paths.map((path) => bench.get(path))
}

test("what its own tools wrote comes back, a person's lines stay, and undo takes that back", async () => {
  bench.put("a.txt", "one\ntwo\nthree\nfour\n")
  await bench.round("begin")
  await bench.round("first", [write(bench.cwd, "new.txt", "new\n")])
  await bench.round("second", [edit(bench.cwd, "a.txt", "two", "TWO")])
  bench.put("a.txt", `${bench.get("a.txt")}mine\n`)
  bench.put("own.txt", "mine\n")
  await bench.done(`restore @3 -s ${bench.name}`)
  expect(contents("a.txt", "new.txt", "own.txt")).toEqual(["one\ntwo\nthree\nfour\nmine\n", "new\n", "mine\n"])
  await bench.done(`undo -s ${bench.name} --even-if-running`)
  expect(contents("a.txt")).toEqual(["one\nTWO\nthree\nfour\nmine\n"])
  await bench.done(`back 2 -s ${bench.name} --files restore --even-if-running`)
  expect(contents("a.txt", "new.txt")).toEqual(["one\ntwo\nthree\nfour\nmine\n", undefined])
  await bench.done(`undo -s ${bench.name} --even-if-running`)
  expect(contents("a.txt", "new.txt")).toEqual(["one\nTWO\nthree\nfour\nmine\n", "new\n"])
})

test("what a command changed comes back where its hunks fit; what is only named stays", async () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join("")
  const paths = [1, 2, 3, 4, 5, 6, 7].map((i) => `f${i}.txt`)
  for (const path of paths) bench.put(path, lines)
  bench.put("gone.txt", "gone\n")
  const changed = lines.replace("line 9", "LINE 9")
  await bench.round("go", [bash(bench.cwd, Object.fromEntries(paths.map((path) => [path, changed])))])
  await bench.round("more", [bash(bench.cwd, { "made.txt": "made\n", "gone.txt": null })])
  await bench.done(`restore @1 -s ${bench.name}`)
  // It tells the hunks of the first five, and of a deleted file not whether its last line ended.
  expect(contents(...paths)).toEqual([...paths.slice(0, 5).map(() => lines), changed, changed])
  expect(contents("made.txt", "gone.txt")).toEqual([undefined, undefined])
})

test("a large file that Claude Code does not repeat is not taken for one that did not exist", async () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join("")
  bench.put("large.txt", lines)
  await bench.round("go", [edit(bench.cwd, "large.txt", "line 9", "LINE 9", true)])
  await bench.done(`restore @1 -s ${bench.name}`)
  expect(contents("large.txt")).toEqual([lines])
})

test("what was written through a link comes back in the file behind it", async () => {
  bench.put("AGENTS.md", "one\ntwo\n")
  symlinkSync("AGENTS.md", join(bench.cwd, "CLAUDE.md"))
  await bench.round("go", [edit(bench.cwd, "CLAUDE.md", "two", "TWO")])
  await bench.done(`restore @1 -s ${bench.name}`)
  expect(contents("AGENTS.md")).toEqual(["one\ntwo\n"])
  expect(readlinkSync(join(bench.cwd, "CLAUDE.md"))).toBe("AGENTS.md")
})

test("a file with CRLF that was written anew comes back with CRLF, as its copy has it", async () => {
  bench.put("a.txt", "one\r\ntwo\r\n")
  await bench.round("go", [write(bench.cwd, "a.txt", "new\n"), write(bench.cwd, "a.txt", "newer\n")])
  bench.keepCopies({ "a.txt": "one\r\ntwo\r\n" })
  await bench.done(`restore @1 -s ${bench.name}`)
  expect(contents("a.txt")).toEqual(["one\r\ntwo\r\n"])
})

/** The file of a sub-agent that the last round started. */
function subAgent(calls: readonly { name: string; input: object; result: string }[]): void {
  const folder = join(bench.transcript.slice(0, -".jsonl".length), "subagents")
  mkdirSync(folder, { recursive: true })
  const started = /"id":"(toolu_[^"]+)","name":"Agent"/.exec(readFileSync(bench.transcript, "utf8"))?.[1]
  const line = (role: string, block: object) =>
    `${JSON.stringify({ isSidechain: true, type: role, timestamp: new Date().toISOString(), message: { role, content: [block] } })}\n`
  const lines = calls.map(
    ({ name, input, result }, i) =>
      line("assistant", { type: "tool_use", id: `sub_${i}`, name, input }) +
      line("user", { type: "tool_result", tool_use_id: `sub_${i}`, content: result }),
  )
  writeFileSync(join(folder, "agent-a1.jsonl"), lines.join(""))
  writeFileSync(join(folder, "agent-a1.meta.json"), JSON.stringify({ toolUseId: started }))
}

test("a sub-agent is unknown only if its own file leaves one of its calls open", async () => {
  const file = join(bench.cwd, "made.txt")
  const does = () => bench.put("made.txt", "made\n")
  await bench.round("go", [{ name: "Agent", input: { prompt: "x" }, does }])
  const made = {
    name: "Write",
    input: { file_path: file, content: "made\n" },
    result: `File created successfully at: ${file}`,
  }
  const read = { name: "Read", input: { file_path: file }, result: "1 made" }
  const planned = async () =>
    JSON.parse((await bench.run(["restore", "@1", "-s", bench.name, "--dry-run", "--json"])).out)
  expect((await planned()).gaps).toMatchObject({ rounds: [{ agents: 1, named: [] }] })
  subAgent([read, made, { name: "Bash", input: { command: "make" }, result: "ok" }])
  expect(await planned()).toMatchObject({
    files: [{ path: "made.txt" }],
    gaps: { rounds: [{ agents: 1, commands: 0 }] },
  })
  subAgent([read, made])
  expect(await planned()).toMatchObject({ files: [{ path: "made.txt" }] })
  expect(await planned()).not.toHaveProperty("gaps")
})

test.each([
  ["told of other commands in the same version, changed nothing", (text: string) => text, 0],
  [
    "of a version that tells nothing, changed what is not known",
    (text: string) => text.replaceAll("2.1.325", "2.1.197"),
    2,
  ],
])("commands of which nothing is told, %s, from wherever one looks", async (_, versionOf, commands) => {
  const name = putRecorded({ home: join(bench.folder, "person"), cwd: bench.cwd, version: "v325" })
  const file = join(bench.folder, "person/.claude/projects/-project", `${name}.jsonl`)
  const lines = readFileSync(file, "utf8").split("\n")
  // The last round ran two commands that say nothing; one of an earlier round tells.
  const told = lines.findLastIndex((line) => line.includes("bashEditDiff"))
  writeFileSync(file, lines.map((line, i) => (i > told ? versionOf(line) : line)).join("\n"))
  for (const target of ["@1", "@3", "@6"]) {
    const moved = JSON.parse((await bench.run(["restore", target, "-s", name, "--dry-run", "--json"])).out) as Moved
    const counted = (moved.gaps?.rounds ?? []).reduce((sum, round) => sum + round.commands, 0)
    expect([target, counted]).toEqual([target, commands])
  }
})

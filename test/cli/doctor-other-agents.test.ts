// What doctor says of another agent's session. pi stands for all of them.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { Bench } from "./bench.ts"

const NAME = "01a1e0f3-469b-754c-b6db-6272ee553265"

let bench: Bench
let file: string
beforeEach(() => {
  bench = new Bench()
  const folder = join(bench.folder, "person", ".pi", "agent", "sessions", "--work--")
  mkdirSync(folder, { recursive: true })
  file = join(folder, `2026-11-15T20-43-22-140Z_${NAME}.jsonl`)
  writeFileSync(file, readFileSync(join(import.meta.dirname, "../formats/pi/samples/branched.jsonl")))
})

interface Report {
  prompts: { path: number; all: number }
  userMessages: { path: number; all: number }
  damaged: number[]
  duplicates: number[]
  orphans: { line: number }[]
  branches: { line: number; messages: number }[]
  head: { line: number }
  resume: string[] | null
  messages: { line: number; id: string; parent: string | null; origin: string; why: string; onPath: boolean }[]
}
const report = async (name: string) => (await bench.run(["doctor", "-s", name, "--json"])).json() as Report

test("each line is shown with its id, its parent, who said it and why; and where the session resumes", async () => {
  const { exit, out } = await bench.run(["doctor", "-s", NAME], { width: 100 })
  expect(exit).toBe(0)
  const { messages, prompts, head, resume, branches } = await report("553265")
  const lines = readFileSync(file, "utf8").split("\n")
  for (const { line, id, origin, why } of messages) {
    // pi gives no id to the move by which a new branch begins.
    if (origin !== "move") expect(lines[line - 1]).toContain(id.slice(-8))
    expect(why).not.toBe("")
  }
  expect(prompts.path).toBe(3)
  expect(prompts.all).toBeGreaterThan(3)
  expect(branches).not.toHaveLength(0)
  expect(resume?.[0]).toBe("pi")
  expect(out).toContain("3 prompts on the path")
  expect(out).toContain(`It resumes from line ${head.line} with: pi --session`)
  expect(out).toMatch(/^ *\d+ {2}[0-9a-f]{6,} {2}< [0-9a-f]{6,} +prompt {2,}\S/m)
})

test("lines that cannot be read, that come twice and whose parent is gone are named, and need attention", async () => {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n")
  const sound = lines.length
  const message = { type: "message", timestamp: "2026-11-15T21:00:00Z", message: { role: "user", content: "orphan" } }
  appendFileSync(file, `not JSON\n${JSON.stringify({ ...message, id: "0000aaaa", parentId: "deadbeef" })}\n`)
  appendFileSync(file, `${lines[5]}\n`)
  const { damaged, duplicates, orphans } = await report(file)
  expect(duplicates).toEqual([sound + 3])
  expect(damaged).toEqual([sound + 1])
  expect(orphans.map(({ line }) => line)).toEqual([sound + 2])
  const { exit, out } = await bench.run(["doctor", "-s", file])
  expect(exit).toBe(1)
  expect(out).toContain(`1 line cannot be read: line ${sound + 1}.`)
})

test("a copy of a session that is gone, and a file that is nowhere its agent looks, say so", async () => {
  const elsewhere = join(bench.cwd, "copy.jsonl")
  writeFileSync(elsewhere, readFileSync(file).toString().replaceAll(NAME, NAME.replace("553265", "553266")))
  expect((await report(elsewhere)).resume).toBeNull()
  expect((await bench.run(["doctor", "-s", elsewhere])).out).toContain("pi does not look for sessions there")
  await bench.run(["keep"])
  rmSync(file)
  const { out } = await bench.run(["doctor", "-s", NAME], { width: 200 })
  expect(out).toContain("gone from pi since")
  expect(out).toContain("after: retcon keep --restore 553265")
})

test("--secrets counts in other agents' sessions of this directory too, and shows no value", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`
  const text = readFileSync(file, "utf8").replace(
    '"cwd":"/home/dev/repo/agent/w/pi"',
    `"cwd":${JSON.stringify(bench.cwd)}`,
  )
  writeFileSync(file, text.replace("u1 hello", `u1 hello ${token}`))
  for (const words of [[], ["-s", NAME], ["--all"]]) {
    const { exit, out } = await bench.run(["doctor", "--secrets", ...words])
    expect(exit).toBe(1)
    expect(out).toContain("553265: 1 GitHub token")
    expect(out).not.toContain(token)
  }
})

/** A session of Claude Code that was last used so many days ago. */
function claudeSession(name: string, daysAgo: number): void {
  const path = join(bench.folder, "person", ".claude", "projects", "-work", `${name}.jsonl`)
  mkdirSync(join(path, ".."), { recursive: true })
  const row = { sessionId: name, uuid: name, parentUuid: null, isSidechain: false, type: "user", cwd: bench.cwd }
  writeFileSync(path, `${JSON.stringify(row)}\n`)
  const used = new Date(bench.cli().now() - daysAgo * 24 * 60 * 60 * 1000)
  utimesSync(path, used, used)
}

test.each([[[]], [["--all"]]])(
  "doctor %j looks into the sessions of other agents, and names what is wrong",
  async (words) => {
    const here = readFileSync(file, "utf8").replace("/home/dev/repo/agent/w/pi", bench.cwd)
    writeFileSync(file, here)
    const good = await bench.run(["doctor", ...words])
    expect(good).toMatchObject({ exit: 0, out: expect.stringMatching(/^All good: 1 session, \d+ lines\.$/m) })
    const number = here.split("\n").length
    const message = { type: "message", timestamp: "2026-11-15T21:00:00Z", message: { role: "user", content: "orphan" } }
    appendFileSync(file, `not JSON\n${JSON.stringify({ ...message, id: "0000aaaa", parentId: "deadbeef" })}\n`)
    const { exit, out } = await bench.run(["doctor", ...words], { width: 120 })
    expect(exit).toBe(1)
    expect(out).toContain(file)
    expect(out).toContain(`1 line of pi cannot be read (line ${number})`)
    expect(out).toContain(`1 line of pi continues a message that is not in the file (line ${number + 1})`)
    expect(out).toContain("See it with: retcon doctor -s 553265")
    const json = (await bench.run(["doctor", ...words, "--json"])).json()
    expect(json).toMatchObject([{ file, session: NAME, findings: [{ what: expect.any(String) }, {}] }])
  },
)

test("--all says what Claude Code will remove next, by the settings that count, and what is not copied", async () => {
  const off = { settings: { "keep.auto": "off" as const } }
  const warned = async () => (await bench.run(["doctor", "--all"], { width: 200, ...off })).out
  claudeSession("00000000-0000-4000-8000-000000000001", 5)
  expect(await warned()).not.toContain("will remove")
  claudeSession("00000000-0000-4000-8000-000000000002", 27.5)
  claudeSession("00000000-0000-4000-8000-000000000003", 40)
  expect(await warned()).toContain("Claude Code will remove 2 files within 7 days, the first at its next start")
  expect(await warned()).toContain("not used for 30 days. 2 files of them are not copied here.")
  await bench.run(["keep"])
  expect(await warned()).toContain("All of them are copied here.")
  const settings = (folder: string, name: string, days: unknown) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify({ cleanupPeriodDays: days }))
  }
  settings(join(bench.folder, "person", ".claude"), "settings.json", 99999)
  expect(await warned()).not.toContain("will remove")
  settings(join(bench.cwd, ".claude"), "settings.json", 10)
  expect(await warned()).toContain("will remove 3 files")
  settings(join(bench.cwd, ".claude"), "settings.local.json", 45)
  expect(await warned()).toContain("will remove 1 file within 7 days, the first in 5 days")
})

const FORMATS = join(import.meta.dirname, "../formats")

test.each(["codex", "gemini-cli", "klaude-code", "neovate"])(
  "every line of a session of %s is explained",
  async (agent) => {
    const samples = readdirSync(join(FORMATS, agent, "samples"), { recursive: true, withFileTypes: true })
    const files = samples.filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl")).slice(0, 4)
    expect(files).not.toHaveLength(0)
    for (const entry of files) {
      const path = join(entry.parentPath, entry.name)
      const { messages } = await report(path)
      expect(messages).not.toHaveLength(0)
      for (const { line, why } of messages) expect([path, line, why]).not.toEqual([path, line, ""])
      expect((await bench.run(["doctor", "-s", path])).out).toContain("on the path, of")
    }
  },
)

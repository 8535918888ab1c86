// Going back in a session of Claude Code, on the command line: what it appends is what Claude Code itself follows.
import { appendFileSync, cpSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { Bench } from "./bench.ts"
import { CLAUDE_NAME, putClaudeSession, registerClaude } from "./claude-session.ts"

const name = CLAUDE_NAME

let bench: Bench
let file: string
let registry: string

beforeEach(() => {
  bench = new Bench()
  ;({ file, registry } = putClaudeSession(bench))
})

const prompts = async () => (await bench.run(["prompts", "-s", name])).out

test("back goes back a round, says how to continue there, and undo and redo are the same", async () => {
  const start = readFileSync(file, "utf8")
  const { exit, out } = await bench.run(["back", "-s", name])
  expect(exit).toBe(0)
  expect(out).toContain("Went back 1 round")
  expect(out).toContain("u3 third")
  expect(out).toMatch(new RegExp(`Continue in Claude Code: .*claude --resume ${name}`))
  expect(out).toMatch(/Take this back with: retcon undo -s \w+/)
  expect(await prompts()).not.toContain("u3 third")
  const [line, ...more] = readFileSync(file, "utf8").slice(start.length).trimEnd().split("\n")
  expect(more).toEqual([])
  expect(JSON.parse(line ?? "")).toMatchObject({ type: "last-prompt", explicit: true, sessionId: name })
  expect((await bench.run(["undo", "-s", name])).out).toContain("Undid the last back")
  expect(await prompts()).toContain("u3 third")
  expect((await bench.run(["redo", "-s", name])).out).toContain("Redid")
  expect(await prompts()).not.toContain("u3 third")
  expect((await bench.run(["ops", "-s", name])).out).toMatch(/redo[\s\S]*undo[\s\S]*back/)
  expect(readFileSync(file, "utf8").startsWith(start)).toBe(true)
})

test("the beginning of Claude Code's own id is enough to name a session", async () => {
  const short = name.slice(0, 4)
  for (const part of [short, short.toUpperCase(), name.slice(0, 8), name.slice(-4)]) {
    expect((await bench.run(["prompts", "-s", part])).out).toContain("u3 third")
  }
  expect((await bench.run(["prompts", "-s", name.slice(0, 3), "--json"])).error().code).toBe("not-found")
  const other = `${short}${name.slice(4).replace(/^./, (first) => (first === "0" ? "1" : "0"))}`
  writeFileSync(file.replace(name, other), readFileSync(file, "utf8").replaceAll(name, other))
  expect((await bench.run(["prompts", "-s", short, "--json"])).error().code).toBe("ambiguous")
  expect((await bench.run(["prompts", "-s", other, "--json"])).exit).toBe(0)
})

test("a dry run writes nothing; before the first prompt there is a way too", async () => {
  const start = readFileSync(file)
  expect((await bench.run(["goto", "@1", "-s", name, "--dry-run"])).out).toContain("Would go to")
  expect(readFileSync(file)).toEqual(start)
  expect((await bench.run(["goto", "@1", "-s", name])).exit).toBe(0)
  expect((await bench.run(["prompts", "-s", name, "--json"])).out.trim()).toBe("[]")
  expect((await bench.run(["undo", "-s", name])).exit).toBe(0)
  expect(await prompts()).toContain("u1 first")
})

test("nothing is written while Claude Code has the session open", async () => {
  const start = readFileSync(file)
  registerClaude(registry)
  const { exit, err } = await bench.run(["back", "-s", name])
  expect(exit).not.toBe(0)
  expect(err).toContain(`Claude Code has this session open (process ${process.pid})`)
  expect(readFileSync(file)).toEqual(start)
})

test("a last line that was cut off is ended first, and stays as it is", async () => {
  appendFileSync(file, '{"type":"user","uu')
  const start = readFileSync(file, "utf8")
  expect((await bench.run(["back", "-s", name])).exit).toBe(0)
  expect(readFileSync(file, "utf8").startsWith(`${start}\n{"type":"last-prompt"`)).toBe(true)
  expect(await prompts()).not.toContain("u3 third")
})

/** A session of an agent that can only be split, in a place of its own; and the file that a move would write to. */
const ONLY_SPLIT: readonly [string, () => { session: string; file: string }][] = [
  ["Kimi CLI", () => copied("kimi-cli/samples/three-rounds", "context.jsonl")],
  ["Klaude Code", () => copied("klaude-code/samples/compacted", "events.jsonl")],
  ["opencode", () => copied("opencode/samples/export.json")],
]

function copied(sample: string, within = ""): { session: string; file: string } {
  const session = join(bench.folder, basename(sample))
  cpSync(join(import.meta.dirname, "../formats", sample), session, { recursive: true })
  return { session, file: join(session, within) }
}

test.each(ONLY_SPLIT)(
  "%s cannot be made to go back: refused with the reason, and with the split that does it",
  async (title, put) => {
    const { session, file: written } = put()
    const start = readFileSync(written)
    for (const words of [["back"], ["goto", "@1"]]) {
      const { exit, err } = await bench.run([...words, "-s", session])
      expect(exit).not.toBe(0)
      expect(err).toContain(`${title} always continues at the end of a session`)
      expect(err).toMatch(/Start a new session from there with: retcon split .*-s \w+/)
    }
    expect(readFileSync(written)).toEqual(start)
  },
)

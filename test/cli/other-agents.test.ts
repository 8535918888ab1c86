// Sessions of other agents on the command line: found, read, named, and never changed. pi stands for all of them.
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { Bench } from "./bench.ts"
import { PI_NAME, putPiSession } from "./pi-session.ts"

const NAME = PI_NAME

let bench: Bench
let file: string

beforeEach(() => {
  bench = new Bench()
  file = putPiSession(bench)
})

test("ls shows the sessions of other agents in this directory, each with the line that resumes it", async () => {
  const { out } = await bench.run(["ls"])
  expect(out).toContain("553265")
  expect(out).toContain("u1 hello")
  expect(out).toContain(`pi --session ${NAME}`)
  const json = JSON.parse((await bench.run(["ls", "--json"])).out)
  expect(json).toMatchObject([
    { agent: "pi", name: NAME, file, cwd: bench.cwd, prompts: null, resume: ["pi", "--session", NAME] },
  ])
})

test("ls --agent takes one agent, and lists the names if there is no such agent", async () => {
  expect((await bench.run(["ls", "--agent", "pi", "--json"])).out).toContain(NAME)
  expect(JSON.parse((await bench.run(["ls", "--agent", "retcon", "--json"])).out)).toEqual([])
  const { exit, err } = await bench.run(["ls", "--agent", "windsurf"])
  expect(exit).toBe(2)
  expect(err).toContain("claude-code")
})

test("ls --since leaves out what was not used since", async () => {
  const here = async (since: string) => JSON.parse((await bench.run(["ls", "--since", since, "--json"])).out)
  expect(await here("90y")).toHaveLength(1)
  utimesSync(file, new Date("2001-01-01"), new Date("2001-01-01"))
  expect(await here("1d")).toHaveLength(0)
})

test("views read it without -s where there is none of ours, by its id, its own name and its path", async () => {
  for (const named of [[], ["-s", "553265"], ["-s", NAME], ["-s", file]]) {
    const { out } = await bench.run(["prompts", ...named])
    expect(out).toMatch(/@1 .*u1 hello\n@2 .*u2 TOOLWRITE please\n@3 .*u3b new branch/)
  }
  expect((await bench.run(["log", "--all"])).out).toContain("session 553265 of pi")
  const { out } = await bench.run(["show"])
  expect(out).toContain("reply 3 to: u3b new branch")
  expect(out).not.toContain("thinking_level_change")
  expect((await bench.run(["show", "--context"])).out).toContain("You are a coding assistant running inside pi")
})

test("a title and a label of ours are shown, and the agent's file stays as it was", async () => {
  const before = { bytes: readFileSync(file), mtime: statSync(file).mtimeMs }
  await bench.run(["title", "my research", "-s", NAME])
  await bench.run(["label", "@2", "good", "-s", NAME])
  expect((await bench.run(["ls"])).out).toContain("my research")
  expect((await bench.run(["log", "-s", NAME])).out).toContain("good")
  await bench.run(["archive", "-s", NAME])
  expect((await bench.run(["ls"])).out).toContain("1 session archived")
  expect({ bytes: readFileSync(file), mtime: statSync(file).mtimeMs }).toEqual(before)
})

test("the agent's own title stays behind ours, and is there again when ours is removed", async () => {
  const named = {
    type: "session_info",
    id: "0000aaaa",
    parentId: null,
    timestamp: "2026-11-15T21:00:00Z",
    name: "theirs",
  }
  appendFileSync(file, `${JSON.stringify(named)}\n`)
  const title = async (...words: string[]) => (await bench.run(["title", ...words, "-s", NAME])).out.trim()
  expect(await title()).toBe("theirs")
  expect(await title("mine")).toBe("mine")
  appendFileSync(file, `${JSON.stringify({ ...named, id: "0000aaab", name: "theirs again" })}\n`)
  expect(await title()).toBe("mine")
  expect((await bench.run(["ls"])).out).toContain("mine")
  expect(await title("")).toBe("theirs again")
  expect((await bench.run(["ls"])).out).toContain("theirs again")
})

test("a split is a session of ours with every message but the system prompt, and continues from there", async () => {
  const before = JSON.parse((await bench.run(["show", "--context", "--json", "-s", NAME])).out)
  bench.later()
  await bench.run(["split", "-s", NAME, "--to", "retcon"])
  const after = JSON.parse((await bench.run(["show", "--context", "--json"])).out)
  expect(before[0].role).toBe("system")
  expect(after).toEqual(before.slice(1))
  expect((await bench.run(["prompts"])).out).toContain("u3b new branch")
  expect((await bench.run(["back"])).exit).toBe(0)
})

test("without -s, a move and what is shown of files mean the session whose prompts are listed", async () => {
  expect((await bench.run(["prompts"])).out).toMatch(/@2 .*u2 TOOLWRITE please/)
  const went = await bench.run(["goto", "@2"])
  expect(went).toMatchObject({ exit: 0, err: "Session 553265 of pi: u1 hello\n" })
  expect(went.out).toContain("u2 TOOLWRITE please")
  expect(went.out).toContain("Take this back with: retcon undo -s 553265")
  expect((await bench.run(["prompts", "-s", NAME])).out).not.toContain("@2")
  expect((await bench.run(["undo"])).exit).toBe(0)
  expect((await bench.run(["prompts"])).out).toMatch(/@2 .*u2 TOOLWRITE please/)
  bench.file("a.txt", "one\n")
  const [here, named] = [await bench.run(["diff"]), await bench.run(["diff", "-s", NAME])]
  expect(here).toMatchObject({ exit: named.exit, out: named.out, err: `Session 553265 of pi: u1 hello\n${named.err}` })
  bench.later()
  const ours = await bench.session(2)
  expect((await bench.run(["back", "--dry-run", "--json"])).json()).toMatchObject({ session: ours.id })
})

test("gc removes the index of a session that its agent has deleted, and of no other", async () => {
  const cache = join(bench.home, "cache", "pi")
  const indexes = () => readdirSync(cache).filter((name) => name.includes(".index"))
  await bench.run(["log", "-s", NAME])
  expect(indexes()).toHaveLength(2)
  await bench.run(["gc"])
  expect(indexes()).toHaveLength(2)
  rmSync(file)
  expect((await bench.run(["gc", "--dry-run"])).out).toContain("from indexes whose session is gone (2 files)")
  await bench.run(["gc"])
  expect(indexes()).toEqual([])
})

test("search looks into their branches too, and says how to see the hit", async () => {
  const { out } = await bench.run(["search", "u3 bye"])
  expect(out).toContain("session 553265 of pi")
  expect(out).toMatch(/See it with: retcon show --entry \w+ -s 553265/)
  const [found] = JSON.parse((await bench.run(["search", "reply", "--json", "--hits", "20"])).out).sessions
  expect(found.hits.map((hit: { onPath: boolean }) => hit.onPath).filter((on: boolean) => !on)).toHaveLength(1)
  expect(found).toMatchObject({ agent: "pi", session: NAME, resume: ["pi", "--session", expect.anything()] })
  expect(found.hits[0]).toMatchObject({ where: "agent", text: expect.stringContaining("reply") })
  expect(JSON.parse((await bench.run(["search", "reply", "--agent", "retcon", "--json"])).out).sessions).toEqual([])
})

test("search puts first what was said lately, and what says it often", async () => {
  await bench.session(1)
  const agents = async () => {
    const { sessions } = JSON.parse((await bench.run(["search", '"a"', "--json"])).out) as Found
    return sessions.map(({ agent }) => agent)
  }
  expect((await agents())[0]).toBe("pi")
  utimesSync(file, new Date(0), new Date(0))
  expect((await agents()).sort()).toEqual(["pi", "retcon"])
  const scores = async () => (JSON.parse((await bench.run(["search", '"a"', "--json"])).out) as Found).sessions
  const old = (await scores()).find(({ agent }) => agent === "pi")?.score ?? 0
  utimesSync(file, new Date(), new Date())
  expect((await scores()).find(({ agent }) => agent === "pi")?.score).toBeGreaterThan(old)
})

interface Found {
  sessions: { agent: string; score: number }[]
}

test("ls --path and search --path take the sessions that name a file", async () => {
  const there = await bench.run(["ls", "--path", "/home/dev/repo/agent/w/pi/tool-out-2.txt"])
  expect(there.out).toContain("553265")
  expect((await bench.run(["search", "reply", "--path", "nowhere.txt"])).err).toContain("Nothing found")
})

test("a session that can no longer be read is named by a search, and hides no hit of another", async () => {
  await bench.session(1)
  await bench.run(["ls"])
  // As long and as old as the list remembers it.
  const { size, atime, mtime } = statSync(file)
  writeFileSync(file, Buffer.alloc(size))
  utimesSync(file, atime, mtime)
  const { out, err, exit } = await bench.run(["search", "answer 1"])
  expect(exit).toBe(0)
  expect(out).toContain("answer 1")
  expect(err).toContain(`${file} could not be searched`)
})

test("a filter does not call the sessions that it leaves out broken", async () => {
  await bench.session(1)
  expect((await bench.run(["ls", "--agent", "pi"])).out).not.toContain("cannot be opened")
})

test("a JSON export is read back with every message", async () => {
  const before = JSON.parse((await bench.run(["show", "--context", "--json", "-s", NAME])).out)
  const exported = join(bench.folder, "pi.json")
  await bench.run(["export", "--to", "json", "-s", NAME, "-o", exported])
  expect((await bench.run(["import", exported])).exit).toBe(0)
  expect(JSON.parse((await bench.run(["show", "--context", "--json"])).out)).toEqual(before)
})

test("a line that is being written is no damage; one that cannot be read is named by its number in the file", async () => {
  appendFileSync(file, '{"type":"message","id":"0000aaaa","pare')
  expect(await bench.run(["show"])).toMatchObject({ exit: 0, err: "" })
  appendFileSync(file, "not JSON\n")
  const number = readFileSync(file, "utf8").trimEnd().split("\n").length
  expect((await bench.run(["show"])).err.replaceAll(/\s+/g, " ")).toContain(`: line ${number} (`)
  const exported = (await bench.run(["export", "--to", "json"])).json() as { damaged: { line: number }[] }
  expect(exported.damaged.map(({ line }) => line)).toEqual([number])
  const entry = (await bench.run(["show", "--entry", "591d45f8", "--json"])).json() as { line: number; raw: string }
  expect(readFileSync(file, "utf8").split("\n")[entry.line - 1]).toBe(entry.raw)
})

// What a person is told to do next in another agent's session can be done: copied from the screen and run.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { EVERY_AGENT, putSample } from "../foreign/every-agent.ts"
import { Bench } from "./bench.ts"

let bench: Bench
beforeEach(() => {
  bench = new Bench()
})

function put(agent: string): string {
  const each = EVERY_AGENT.find((one) => one.agent === agent)
  if (each === undefined) throw new Error(agent)
  return putSample(each, join(bench.folder, "person")).path
}

test.each(["opencode"])("without snapshots, diff and restore name the hooks of %s", async (agent) => {
  const session = put(agent)
  for (const words of [["diff"], ["restore", "@2"]]) {
    const { exit, err } = await bench.run([...words, "-s", session])
    expect([exit, err]).toEqual([1, expect.stringContaining(`with: retcon hooks install ${agent}\n`)])
  }
})

test("for an agent without hooks, the advice says that nothing can be done", async () => {
  const { exit, err } = await bench.run(["diff", "-s", put("pi")])
  expect(exit).toBe(1)
  expect(err).toContain("The files are not covered: there are no snapshots of what pi did.")
  expect(err).toContain("pi has no hooks that could take snapshots.")
})

test("where a session cannot be moved, the split that is offered begins at the place that was asked for", async () => {
  const session = put("kimi-cli")
  const { err } = await bench.run(["goto", "@2", "-s", session, "--even-if-running"])
  const words = /with: retcon (split \w+ -s \w+)/.exec(err)?.[1]?.split(" ") ?? []
  expect(words).toHaveLength(4)
  const { out } = await bench.run(words)
  const made = /Created session (\w+)/.exec(out)?.[1] ?? ""
  const prompts = (await bench.run(["prompts", "-s", made])).out
  expect(prompts).toContain("@1")
  expect(prompts).not.toContain("@2")
})

test.each([40, 60, 80])("in %i columns no command is broken into lines", async (width) => {
  // The samples of both Kimis have one id.
  for (const { agent } of EVERY_AGENT) if (agent !== "kimi-cli") put(agent)
  await bench.run(["keep"])
  rmSync(join(bench.folder, "person/.pi"), { recursive: true })
  const listed = (await bench.run(["ls", "--all", "--json"])).json() as {
    id: string
    file: string
    resume?: string[]
    gone?: string
  }[]
  const { out } = await bench.run(["ls", "--all"], { width })
  for (const { resume } of listed) if (resume !== undefined) expect(out).toContain(` ${resume.join(" ")}\n`)
  const gone = listed.find((each) => each.gone !== undefined)?.id ?? ""
  expect(out).toContain(` retcon keep --restore ${gone.slice(-6)}\n`)
  for (const { id, file, resume } of listed) {
    const doctor = (await bench.run(["doctor", "-s", resume === undefined ? id : file], { width })).out
    expect(doctor).toContain(` ${resume?.join(" ") ?? `retcon keep --restore ${id.slice(-6)}`}\n`)
  }
})

test("doctor gives a reason for each row, also for titles and moves", async () => {
  for (const { agent } of EVERY_AGENT) {
    const { out } = await bench.run(["doctor", "-s", put(agent)], { width: 200 })
    expect(out).not.toMatch(/row \d|is ""|unknown/)
  }
})

test("a title beside the session is the same in lists, views and copies", async () => {
  const session = put("klaude-code")
  expect((await bench.run(["ls", "--all"])).out).toContain("The leak")
  expect((await bench.run(["title", "-s", session])).out).toBe("The leak\n")
  expect((await bench.run(["log", "-s", session])).out).toMatch(/^The leak ·/)
  expect((await bench.run(["export", "--to", "markdown", "-s", session])).out).toMatch(/^# The leak\n/)
  await bench.run(["title", "Mine", "-s", session])
  expect((await bench.run(["title", "-s", session])).out).toBe("Mine\n")
})

test("--path without a file is refused", async () => {
  put("pi")
  const { exit, err } = await bench.run(["ls", "--all", "--path", ""])
  expect([exit, err]).toEqual([2, expect.stringContaining("--path needs a file.")])
})

test("settings with a comment where none is allowed are reported, by status too", async () => {
  const file = join(bench.folder, "person/.claude/settings.json")
  mkdirSync(join(bench.folder, "person/.claude"), { recursive: true })
  writeFileSync(file, '{\n  // mine\n  "model": "opus"\n}\n')
  const { exit, err } = await bench.run(["hooks", "install", "claude-code", "--yes"])
  expect([exit, err]).toEqual([1, expect.stringContaining("line 2: there is a comment")])
  const status = await bench.run(["hooks", "status", "claude-code"])
  expect([status.exit, status.out]).toEqual([1, expect.stringMatching(/cannot be read:\s+line 2: there is a comment/)])
})

test("a log of ours that cannot be created is a failure with a next step, not a bug", async () => {
  const session = put("codex")
  const [listed] = (await bench.run(["ls", "--all", "--json"])).json() as { id: string }[]
  const ours = join(bench.home, "foreign/codex", `${listed?.id}.jsonl`)
  // Stands where the new file is first written.
  mkdirSync(`${ours}.${process.pid}.tmp`, { recursive: true })
  const { exit, err } = await bench.run(["label", "head", "here", "-s", session])
  expect([exit, err]).toEqual([1, expect.stringContaining(`${ours} could not be`)])
  expect(err).not.toContain("bug")
})

test("doctor of a file that is no session says so, and gives no advice about it as one", async () => {
  const file = join(bench.folder, "passwd")
  writeFileSync(file, "root:x:0:0:root:/root:/bin/bash\n")
  const { exit, out, err } = await bench.run(["doctor", "-s", file])
  expect([exit, out]).toEqual([1, ""])
  expect(err).toContain(`${file} is not a session that retcon knows`)
})

test("the title that a person gave in Claude Code is listed, wherever it is in the file", async () => {
  const sample = join(import.meta.dirname, "../formats/claude-code/samples/interactive-kinds.v197.jsonl")
  const folder = join(bench.folder, "person/.claude/projects/-work")
  mkdirSync(folder, { recursive: true })
  const text = readFileSync(sample, "utf8").replaceAll(/"cwd":"[^"]*"/g, `"cwd":${JSON.stringify(bench.cwd)}`)
  writeFileSync(join(folder, "feeb4ef3-da5b-4244-a296-8b892031f2b7.jsonl"), text)
  expect((await bench.run(["ls"])).out).toContain("my-title")
  expect((await bench.run(["ls", "--all"])).out).toContain("my-title")
})

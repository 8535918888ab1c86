// Protection that has ended without a word: hooks that cannot run, places that may not be read, what an agent will remove.
import { chmodSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { homeFolder } from "../../../src/app/config/home.ts"
import { listSessions } from "../../../src/app/library/list-sessions.ts"
import { Bench } from "../bench.ts"
import { bound } from "../bound.ts"
import { putClaudeSession } from "../claude-session.ts"

let bench: Bench
let settings: string
beforeEach(() => {
  bench = new Bench()
  settings = join(bench.folder, "person/.claude/settings.json")
  mkdirSync(dirname(settings), { recursive: true })
})

const OFF = { settings: { "keep.auto": "off" as const } }
const said = async (...words: string[]) => {
  const { exit, out, err } = await bench.run(words, { width: 1000, ...OFF })
  return { exit, out, err }
}
const installed = () => bench.run(["hooks", "install", "claude-code", "--yes"])
const edit = (change: (text: string) => string) => writeFileSync(settings, change(readFileSync(settings, "utf8")))

describe("hooks that no longer work", () => {
  test.each([
    [
      "node is gone",
      (text: string) => text.replaceAll(process.execPath, "/gone/bin/node"),
      "/gone/bin/node, which the hooks run, is gone",
    ],
    [
      "the program was moved",
      (text: string) => text.replaceAll("dist/hook.cjs", "moved/hook.cjs"),
      "moved/hook.cjs, which the hooks run, is gone",
    ],
    ["somebody took them out", () => "{}\n", "the hooks are no longer in"],
    [
      "somebody took one out",
      (text: string) => text.replace("RETCON_HOOK=", "OTHER="),
      "some of the hooks are no longer in",
    ],
    ["somebody changed a matcher", (text: string) => text.replace("Bash|", "Bsh|"), "run for fewer tools"],
    [
      "they report to another home",
      (text: string) => text.replaceAll(/RETCON_HOME='[^']*'/g, "RETCON_HOME='/other/home'"),
      "report to another retcon home, /other/home",
    ],
    [
      "Claude Code may run none",
      (text: string) => text.replace("{", '{ "disableAllHooks": true,'),
      "disableAllHooks in",
    ],
  ])("%s: doctor says so first, ls says so, status names the reason and the way out", async (_, change, problem) => {
    await installed()
    await bench.session(1)
    expect((await said("doctor")).out).toMatch(/^All good/)
    expect((await said("ls")).out).not.toContain("protected")
    edit(change)
    const doctor = await said("doctor")
    expect([doctor.exit, doctor.out.split("\n").slice(0, 2)]).toEqual([
      1,
      [settings, expect.stringContaining(`Claude Code is no longer protected: `)],
    ])
    expect(doctor.out).toContain(problem)
    expect((await said("ls")).out).toMatch(/ask 1.*\nClaude Code is no longer protected: /)
    const status = await said("hooks", "status")
    expect([status.exit, status.out]).toEqual([1, expect.stringContaining("Claude Code: no longer protected: ")])
    expect(status.out).toContain(problem)
  })

  test("every command in a terminal says so; the repair that it names ends it", async () => {
    await installed()
    await bench.session(1)
    edit((text) => text.replaceAll("dist/hook.cjs", "moved/hook.cjs"))
    const { err } = await bench.run(["prompts"], { isTerminal: true, settings: { pager: "never" } })
    expect(err).toMatch(
      /^retcon: Claude Code is no longer protected: .* Repair it with: retcon hooks install claude-code\n/,
    )
    expect((await bench.run(["prompts"])).err).toBe("")
    await installed()
    expect((await bench.run(["prompts"], { isTerminal: true, settings: { pager: "never" } })).err).toBe("")
    expect((await said("hooks", "status", "claude-code")).exit).toBe(0)
  })

  test("hooks that were installed from another home do not protect here, and are no concern of this one's doctor", async () => {
    await installed()
    const usual = homeFolder({}, process.platform, join(bench.folder, "person"))
    rmSync(join(bench.home, "hooks"), { recursive: true })
    edit((text) => text.replaceAll(/RETCON_HOME='[^']*' /g, ""))
    await bench.run(["hooks", "install", "codex", "--yes"])
    const status = await said("hooks", "status", "claude-code")
    expect([status.exit, status.out]).toEqual([
      0,
      `Claude Code: not protected: the hooks in ${settings} report to another retcon home, ${usual}.\n  Make them report here instead with: retcon hooks install claude-code\n`,
    ])
    expect((await said("doctor")).exit).toBe(0)
    await installed()
    expect((await said("hooks", "status", "claude-code")).out).toContain("Claude Code: protected since")
  })

  test("hooks that a person took out by hand are forgotten with uninstall", async () => {
    await installed()
    writeFileSync(settings, "{}\n")
    expect((await said("hooks", "status", "claude-code")).out).toContain(
      "forget them with: retcon hooks uninstall claude-code",
    )
    await bench.run(["hooks", "uninstall", "claude-code", "--yes"])
    expect((await said("hooks", "status", "claude-code")).out).toContain("Claude Code: not protected.")
    expect((await said("doctor")).exit).toBe(0)
  })

  test("status says since when, and that no snapshot was taken yet; installing names the folder of a clone", async () => {
    expect((await installed()).out).toMatch(
      /They run from the folder .*: if you move or delete it, install the hooks again\./,
    )
    const { out } = await said("hooks", "status")
    expect(out).toMatch(/^Claude Code: protected since \d+ \w+ \d{4}, no snapshot yet\.\n/)
    expect(out).toContain("Codex: not protected. Protect its next prompts with: retcon hooks install codex\n")
  })
})

describe("what may not be read", () => {
  test("is not called empty: not by ls, doctor, keep or search", () =>
    bound(bench.folder, async () => {
      const { file } = putClaudeSession(bench)
      const projects = dirname(dirname(file))
      expect((await said("ls")).out).toContain("Claude Code")
      for (const [path, mode] of [
        [file, 0o600],
        [dirname(file), 0o700],
        [projects, 0o700],
      ] as const) {
        rmSync(join(bench.home, "cache"), { recursive: true, force: true })
        chmodSync(path, 0)
        const ls = (await said("ls")).out
        expect(ls).toContain("There are no sessions here to show.")
        expect(ls).toContain(
          `retcon may not read 1 place of Claude Code, so sessions may be missing here. Allow reading it: chmod u+rX ${path}`,
        )
        expect((await said("ls", "--all")).out).not.toContain("There are no sessions yet")
        const doctor = await said("doctor")
        expect([doctor.exit, doctor.out.split("\n")[0]]).toEqual([1, path])
        const keep = await said("keep")
        expect([keep.exit, keep.out]).toEqual([1, expect.stringContaining(path)])
        expect(keep.out).not.toContain("There are no sessions of other agents")
        expect((await said("search", "anything")).err).toContain(`chmod u+rX ${path}`)
        // The page and the API list the same.
        const { sessions, unreadable } = await listSessions(bench.cli().store, { agents: "all" })
        expect([sessions, unreadable]).toEqual([[], [{ agent: "claude-code", path }]])
        chmodSync(path, mode)
        rmSync(join(bench.home, "kept"), { recursive: true, force: true })
      }
    }))
})

test("a folder of retcon's own sessions that may not be read is named by ls --all and search", async () => {
  const { log } = await bench.session(1)
  const folder = dirname(log.file ?? "")
  await bound(bench.folder, async () => {
    chmodSync(folder, 0)
    const all = (await said("ls", "--all")).out
    expect(all).toMatch(/^There are no sessions to show\.\nretcon may not read 1 place of retcon,/)
    expect((await said("search", "ask")).err).toContain(`chmod u+rX ${folder}`)
    chmodSync(folder, 0o700)
  })
})

test("what Claude Code will soon remove, and nobody has copied, is the first line of doctor and a line of ls", async () => {
  const { file } = putClaudeSession(bench)
  const old = new Date(Date.parse("2026-01-02T03:04:05.000Z") - 28 * 24 * 3600 * 1000)
  utimesSync(file, old, old)
  expect((await said("ls")).out).toContain(
    "Claude Code will remove 1 file within 7 days, 1 of them not copied here. Copy it with: retcon keep",
  )
  expect((await said("doctor")).out.split("\n")[1]).toContain("Claude Code will remove 1 file within 7 days")
  await bench.run(["keep"])
  expect((await said("ls")).out).not.toContain("will remove")
})

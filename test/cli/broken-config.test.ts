// What an agent is forbidden must be understood before one starts: else it would be lost in silence.
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { makeStage } from "./stage.ts"

describe.each([
  ["a comma too many", "config.json", '{"deny":["Bash(touch)"],\n}', "it is not JSON"],
  ["deny as a text", "config.json", '{"deny":"Bash(touch)"}', '"deny" must be a list'],
  ["a deny rule that is not a text", "config.json", '{"deny":[1]}', '"deny" must be a list'],
  ["a deny rule without its end", "config.json", '{"deny":["Bash("]}', 'the rule Bash( in "deny" forbids nothing'],
  ["a deny rule that never applies", "config.json", '{"deny":["bash(touch)"]}', "the tool is called Bash"],
  ["a sandbox that does not exist", "config.json", '{"sandbox":"onn"}', '"sandbox" must be one of auto, on, off'],
  [
    "a network that does not exist",
    "config.json",
    '{"sandbox.network":"of"}',
    '"sandbox.network" must be one of on, off',
  ],
  ["a comma too many in a folder", ".retcon.json", '{"deny":["Bash(touch)"],\n}', "it is not JSON"],
  ["a list in a folder", ".retcon.json", '["Bash(touch)"]', "it is not an object"],
  ["deny as a text in a folder", ".retcon.json", '{"deny":"Bash(touch)"}', '"deny" must be a list'],
  ["a deny rule in a folder that is none", ".retcon.json", '{"deny":["Bash(a; b)"]}', 'the rule Bash(a; b) in "deny"'],
])("%s", (_, name, text, problem) => {
  function stage() {
    const at = makeStage()
    const file = name === "config.json" ? join(at.home, name) : join(at.cwd, name)
    for (const folder of [at.cwd, dirname(file)]) mkdirSync(folder, { recursive: true })
    writeFileSync(file, text, { mode: 0o600 })
    return { ...at, file }
  }

  test.each([
    ["run", ["run", "--model", "practice", "--mode", "yolo", "run touch ran"]],
    ["--plain", ["--plain", "--model", "practice", "--mode", "yolo", "run touch ran"]],
  ])("%s starts no agent, and says what is wrong in which file", async (_name, words) => {
    const at = stage()
    const { exit, err } = await at.retcon(words, { env: { PATH: process.env.PATH ?? "" } })
    expect(exit).toBe(1)
    expect(err).toContain(`${at.file} cannot be used: `)
    expect(err).toContain(problem)
    expect(err).toContain("Fix the file, or move it away.")
    expect(existsSync(join(at.cwd, "ran"))).toBe(false)
  })

  test("sessions can still be read, and config and doctor report the problem", async () => {
    const at = stage()
    expect(await at.retcon("ls")).toMatchObject({ exit: 0 })
    expect(await at.retcon("config")).toMatchObject({ exit: 0, err: expect.stringContaining(problem) })
    const { exit, out, err } = await at.retcon("doctor")
    expect([exit, out]).toEqual([1, expect.not.stringContaining("All good")])
    expect(err).toContain(`${at.file}: `)
    expect(err).toContain(problem)
  })
})

test("a .retcon.json that is a pipe does not block: no agent starts, and the reason is given", async () => {
  const at = makeStage()
  mkdirSync(at.cwd, { recursive: true })
  execFileSync("mkfifo", [join(at.cwd, ".retcon.json")])
  const { exit, err } = await at.retcon(["run", "--model", "practice", "help"])
  expect([exit, err]).toEqual([1, expect.stringContaining(".retcon.json cannot be used: it is not a regular file")])
  expect(await at.retcon("config")).toMatchObject({ exit: 0, err: expect.stringContaining("it is not a regular file") })
})

test.each([
  ['{"dney":["Bash(rm)"]}', '"dney" is not a known setting. Did you mean "deny"?'],
  ['{"sandbox.netwrok":"off"}', '"sandbox.netwrok" is not a known setting. Did you mean "sandbox.network"?'],
  ['{"workspace":{"maxfile":1}}', '"workspace.maxfile" is not a known setting. Did you mean "workspace.maxFiles"?'],
  ['{"workspace.budget":1}', '"workspace.budget" is not read. Write it as "workspace": {"budget": …}.'],
  ['{"permissions":{}}', '"permissions" is not a known setting.\n'],
])("a key that nobody reads is told: %s", async (text, problem) => {
  const at = makeStage()
  mkdirSync(at.cwd, { recursive: true })
  mkdirSync(at.home, { recursive: true })
  writeFileSync(join(at.home, "config.json"), text, { mode: 0o600 })
  for (const words of ["config", "doctor"]) expect((await at.retcon(words)).err).toContain(problem)
  const { exit, err } = await at.retcon(["run", "--model", "practice", "help"])
  expect([exit, err]).toEqual([0, expect.stringContaining(problem.trim())])
})

test("no key that retcon config shows, or the docs name, is called unknown", async () => {
  const at = makeStage()
  mkdirSync(at.cwd, { recursive: true })
  mkdirSync(at.home, { recursive: true })
  const shown = JSON.parse((await at.retcon("config --json")).out) as Record<string, unknown>
  const workspace = Object.entries(shown).filter(([key]) => key.startsWith("workspace."))
  const config = {
    ...Object.fromEntries(Object.entries(shown).filter(([key]) => !key.startsWith("workspace."))),
    "sandbox.write": ["caches"],
    workspace: Object.fromEntries(workspace.map(([key, value]) => [key.slice("workspace.".length), value])),
    compaction: { ratio: 0.8, reserve: [], smallReserve: 0.3, keepRounds: 2 },
    allow: [],
    deny: [],
    mcp: {},
    trust: {},
    providers: {},
    models: {},
    thinking: "low",
    keys: {},
  }
  writeFileSync(join(at.home, "config.json"), JSON.stringify(config), { mode: 0o600 })
  expect((await at.retcon("config")).err).toBe("")
})

test.each(["config", "doctor", 'run --model practice "say hi"'])(
  "retcon %s says which settings cannot be meant",
  async (words) => {
    const at = makeStage()
    mkdirSync(join(at.cwd, "made-up-folder"), { recursive: true })
    mkdirSync(at.home, { recursive: true })
    const config = {
      models: { practice: { window: -5 } },
      compaction: { ratio: 7 },
      deny: ["Write(/made-up-folder/**)"],
    }
    writeFileSync(join(at.home, "config.json"), JSON.stringify(config), { mode: 0o600 })
    const { err } = await at.retcon(words)
    expect(err).toContain('"models.practice.window" is not used: it must be a number of tokens above 0.')
    expect(err).toContain('"compaction.ratio" is not used: it must be a number above 0 and at most 1.')
    expect(err).toContain("there is no /made-up-folder. For this folder, write: Write(made-up-folder/**)")
  },
)

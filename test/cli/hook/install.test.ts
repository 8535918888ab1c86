// retcon hooks install|uninstall|status: settings of another program are changed with care, and given back as they were.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { Bench } from "../bench.ts"

let bench: Bench
let file: string
beforeEach(() => {
  bench = new Bench()
  file = join(bench.folder, "person/.claude/settings.json")
  mkdirSync(dirname(file), { recursive: true })
})

const install = (...more: string[]) => bench.run(["hooks", "install", "claude-code", "--yes", ...more])
const uninstall = (...more: string[]) => bench.run(["hooks", "uninstall", "claude-code", "--yes", ...more])
const events = (settings = file) => Object.keys(JSON.parse(readFileSync(settings, "utf8")).hooks)

/** Settings as people and programs write them. */
const SETTINGS: Record<string, string> = {
  "two spaces": '{\n  "model": "opus",\n  "permissions": {\n    "allow": ["Bash(ls)"]\n  }\n}\n',
  "tabs, no last newline": '{\n\t"model": "opus"\n}',
  "one line": '{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}',
  "Windows lines": '{\r\n  "hooks": {\r\n    "Stop": []\r\n  }\r\n}\r\n',
  "hooks of others": `{
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [ { "type": "command", "command": "guard é" } ] }
        ],
        "Stop": [ { "hooks": [] } ]
    },
    "z": 1
}
`,
  "empty object": "{}",
  "empty objects": '{ "hooks": { } }\n',
}

test.each(Object.entries(SETTINGS))("uninstall gives back every byte: %s", async (_, text) => {
  writeFileSync(file, text)
  expect((await install()).exit).toBe(0)
  const after = readFileSync(file, "utf8")
  const { hooks, ...rest } = JSON.parse(after)
  const { hooks: hooksBefore = {}, ...restBefore } = JSON.parse(text)
  expect(rest).toEqual(restBefore)
  for (const [event, groups] of Object.entries<unknown[]>(hooksBefore)) {
    expect(hooks[event].slice(0, groups.length)).toEqual(groups)
  }
  expect(Object.keys(hooks)).toEqual(expect.arrayContaining(["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"]))
  await uninstall()
  expect(readFileSync(file, "utf8")).toBe(text)
})

test("what the person changed since stays, and only ours goes", async () => {
  writeFileSync(file, SETTINGS["two spaces"] ?? "")
  await install()
  const changed = readFileSync(file, "utf8").replace('"opus"', '"sonnet"')
  writeFileSync(file, changed)
  await uninstall()
  expect(readFileSync(file, "utf8")).toBe((SETTINGS["two spaces"] ?? "").replace('"opus"', '"sonnet"'))
})

test("a file that did not exist before is removed again", async () => {
  await install()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(events()).toHaveLength(7)
  await uninstall()
  expect(existsSync(file)).toBe(false)
  expect(readdirSync(dirname(file))).toEqual([])
})

test("installing twice changes nothing, and uninstalling twice neither", async () => {
  writeFileSync(file, "{}")
  await install()
  const once = readFileSync(file, "utf8")
  expect((await install()).out).toContain("are already installed in")
  expect(readFileSync(file, "utf8")).toBe(once)
  await uninstall()
  expect((await uninstall()).out).toContain("Nothing was changed")
  expect(readFileSync(file, "utf8")).toBe("{}")
})

test("an installation of another version is brought up to date in its place, and uninstall still gives back all", async () => {
  const text = SETTINGS["hooks of others"] ?? ""
  writeFileSync(file, text)
  await install()
  const { size } = statSync(file)
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("RETCON_HOOK=0.0.0", "RETCON_HOOK=9.9.9"))
  expect((await bench.run(["hooks", "status", "claude"])).out).toContain("another retcon, version 9.9.9")
  await install()
  expect(statSync(file).size).toBe(size)
  await uninstall()
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(text))
})

test("the difference is shown and a person is asked; without one, it needs --yes", async () => {
  writeFileSync(file, "{}")
  const asked = await bench.run(["hooks", "install", "claude-code"], { answer: "n" })
  expect(asked.exit).toBe(1)
  expect(asked.out).toContain('+    "UserPromptSubmit"')
  expect(bench.asked).toEqual([expect.stringContaining(file)])
  const nobody = await bench.run(["hooks", "install", "claude-code"])
  expect([nobody.exit, nobody.err]).toEqual([2, expect.stringContaining("--yes")])
  const dry = await install("--dry-run")
  expect(dry.out).toContain("nothing was changed")
  expect(readFileSync(file, "utf8")).toBe("{}")
  await bench.run(["hooks", "install", "claude-code"], { answer: "y" })
  expect(events()).toContain("Stop")
})

test.each([
  ["{ not json", "line 1"],
  ['{\n "a": 1,\n}', "line 3"],
  ["[]", "not an object"],
  ['{"hooks": []}', '"hooks" is not an object'],
  ['{"hooks": {"Stop": {}}}', "hooks.Stop"],
  ['{"hooks": {}, "hooks": {}}', "twice"],
  ['// mine\n{"a": 1}', "line 1"],
])("a file that cannot be understood is not touched: %s", async (text, why) => {
  writeFileSync(file, text)
  const ran = await install()
  expect([ran.exit, ran.err]).toEqual([1, expect.stringContaining(why)])
  expect(readFileSync(file, "utf8")).toBe(text)
})

test("bytes that are not text are left alone", async () => {
  const bytes = Buffer.from([0x7b, 0xff, 0x7d])
  writeFileSync(file, bytes)
  expect((await install()).exit).toBe(1)
  expect(readFileSync(file)).toEqual(bytes)
})

test("permissions stay, and a link stays a link", async () => {
  const real = join(bench.folder, "dotfiles/claude.json")
  mkdirSync(dirname(real))
  writeFileSync(real, "{}")
  chmodSync(real, 0o640)
  symlinkSync("../../dotfiles/claude.json", file)
  await install()
  expect(lstatSync(file).isSymbolicLink()).toBe(true)
  expect(events(real)).toContain("Stop")
  expect(statSync(real).mode & 0o777).toBe(0o640)
  await uninstall()
  expect(lstatSync(file).isSymbolicLink()).toBe(true)
  expect(readFileSync(real, "utf8")).toBe("{}")
})

test("--project is for this project only", async () => {
  await install("--project")
  expect(existsSync(file)).toBe(false)
  expect(events(join(bench.cwd, ".claude/settings.json"))).toContain("Stop")
  const { out } = await bench.run(["hooks", "status"])
  expect(out).toMatch(/^Claude Code, in this project: protected since /)
  await uninstall("--project")
  expect(existsSync(join(bench.cwd, ".claude/settings.json"))).toBe(false)
})

test("status says when the program is gone, and what to do", async () => {
  await install()
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("dist/hook.cjs", "gone/hook.cjs"))
  const { exit, out } = await bench.run(["hooks", "status", "claude-code"])
  expect([exit, out]).toEqual([1, expect.stringContaining("retcon hooks install claude-code")])
  const [status] = (await bench.run(["hooks", "status", "--json"])).json() as { state: string }[]
  expect(status).toMatchObject({ agent: "claude-code", scope: "user", state: "gone", version: "0.0.0" })
})

test("what retcon remembered of the file may be lost: uninstall still leaves what is not ours", async () => {
  const text = SETTINGS["hooks of others"] ?? ""
  writeFileSync(file, text)
  await install()
  rmSync(join(bench.home, "hooks"), { recursive: true })
  await uninstall()
  expect(readFileSync(file, "utf8")).toBe(text)
})

test("Codex has a file of its own for hooks", async () => {
  const own = join(bench.folder, "person/.codex/hooks.json")
  await bench.run(["hooks", "install", "codex", "--yes"])
  expect(events(own)).toEqual(["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "PreCompact"])
  expect((await bench.run(["hooks", "status", "codex"])).out).toContain("Codex: protected since")
  await bench.run(["hooks", "uninstall", "codex", "--yes"])
  expect(existsSync(own)).toBe(false)
})

test("Gemini CLI keeps hooks and servers in one file: each is removed by itself, and every byte is back at the end", async () => {
  const own = join(bench.folder, "person/.gemini/settings.json")
  mkdirSync(dirname(own), { recursive: true })
  const server = () => JSON.parse(readFileSync(own, "utf8").replace("// mine", "")).mcpServers?.retcon
  for (const text of [undefined, '{\n\t"hooks": {}, // mine\n\t"mcpServers": {}\n}']) {
    for (const [first, second] of [
      ["hooks", "mcp"],
      ["mcp", "hooks"],
    ] as const) {
      for (const removed of [
        [first, second],
        [second, first],
      ]) {
        rmSync(own, { force: true })
        if (text !== undefined) writeFileSync(own, text)
        for (const what of [first, second]) await bench.run([what, "install", "gemini", "--yes"])
        expect(readFileSync(own, "utf8")).toContain('"BeforeAgent"')
        expect(server()).toBeDefined()
        await bench.run([removed[0] ?? "", "uninstall", "gemini", "--yes"])
        const [hooksStay, serverStays] = [removed[0] === "mcp", removed[0] === "hooks"]
        expect(readFileSync(own, "utf8").includes('"BeforeAgent"')).toBe(hooksStay)
        expect(server() !== undefined).toBe(serverStays)
        await bench.run([removed[1] ?? "", "uninstall", "gemini", "--yes"])
        expect(existsSync(own) ? readFileSync(own, "utf8") : undefined).toBe(text)
      }
    }
  }
})

test("an agent without hooks that can be used: why, and what works instead", async () => {
  const cursor = await bench.run(["hooks", "install", "cursor"])
  expect([cursor.exit, cursor.err]).toEqual([1, expect.stringMatching(/Cursor.* claude-code, codex/s)])
  const pi = await bench.run(["hooks", "install", "pi"])
  expect([pi.exit, pi.err]).toEqual([1, expect.stringContaining("retcon has no hooks for pi")])
  const nobody = await bench.run(["hooks", "install", "nobody"])
  expect([nobody.exit, nobody.err]).toEqual([2, expect.stringContaining("claude-code")])
})

test("opencode gets a plugin, which records what it does, and is gone after uninstall", async () => {
  const own = join(bench.folder, "person/.config/opencode/plugins/retcon.js")
  await bench.run(["hooks", "install", "opencode", "--yes"])
  expect((await bench.run(["hooks", "status", "opencode"])).out).toContain("opencode: protected since")
  const { Retcon } = (await import(own)) as { Retcon: Plugin }
  const plugin = await Retcon({ directory: bench.cwd })
  await plugin["chat.message"]({ sessionID: "ses_1" }, { message: { id: "msg_1" } })
  const call = { tool: "bash", sessionID: "ses_1", callID: "call_1" }
  await plugin["tool.execute.before"](call, { args: { command: "make" } })
  bench.file("made.txt", "made\n")
  await plugin["tool.execute.after"](call, {})
  await plugin["tool.execute.before"]({ ...call, tool: "read", callID: "call_2" }, { args: {} })
  await plugin.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } })
  const log = readdirSync(join(bench.home, "foreign/opencode")).find((name) => name.endsWith(".jsonl")) ?? ""
  const lines = readFileSync(join(bench.home, "foreign/opencode", log), "utf8")
    .trim()
    .split("\n")
  const [, ...records] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(records).toMatchObject([
    { when: "before", hook: { prompt: "msg_1" } },
    { when: "before", hook: { prompt: "msg_1", call: "call_1" } },
    { when: "after", hook: { prompt: "msg_1", call: "call_1" }, changes: [{ path: "made.txt", change: "added" }] },
    { when: "after", hook: { prompt: "msg_1" } },
  ])
  await bench.run(["hooks", "uninstall", "opencode", "--yes"])
  expect(existsSync(own)).toBe(false)
})

test("a plugin of that name that is not ours is left alone", async () => {
  const own = join(bench.folder, "person/.config/opencode/plugins/retcon.js")
  mkdirSync(dirname(own), { recursive: true })
  writeFileSync(own, "export const Mine = 1\n")
  const { exit, err } = await bench.run(["hooks", "install", "opencode", "--yes"])
  expect([exit, err]).toEqual([1, expect.stringContaining("did not write")])
  expect(readFileSync(own, "utf8")).toBe("export const Mine = 1\n")
})

type Handler = (input: object, output?: object) => Promise<void>
type Plugin = (input: {
  directory: string
}) => Promise<Record<"chat.message" | "tool.execute.before" | "tool.execute.after" | "event", Handler>>

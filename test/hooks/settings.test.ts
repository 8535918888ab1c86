// Settings of other agents as text: hooks are added in the style of the file, and everything else stays byte for byte.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { hooksOf } from "../../src/hooks/all-hooks.ts"
import { hookCommand, readCommand } from "../../src/hooks/command.ts"
import { parseText } from "../../src/hooks/json-text.ts"

const PROGRAM = { node: "/opt/node's/node", file: "/opt/retcon/hook.js", version: "1.2.3" }
const COMMAND = hookCommand(PROGRAM, "codex")
const { settings } = hooksOf("codex") as NonNullable<ReturnType<typeof hooksOf>>

function added(text: string): string {
  const edited = settings.add(text, PROGRAM)
  if (!edited.ok) throw new Error(edited.problem)
  return edited.text
}

describe("the command", () => {
  test("can be read again, with quotes in its paths and with a home of its own", () => {
    const { node, file, version } = PROGRAM
    expect(readCommand(COMMAND)).toEqual({ version, node, file })
    expect(readCommand(hookCommand({ ...PROGRAM, home: "/my 'home'" }, "codex"))).toEqual({
      version,
      node,
      file,
      home: "/my 'home'",
    })
  })

  test.each([[`RETCON_HOOK=1 '/node'`], ["'/node' '/hook.js'"], ["echo RETCON_HOOK=1 '/a' '/b'"], [7], [undefined]])(
    "%s is not ours",
    (command) => {
      expect(readCommand(command)).toBeUndefined()
    },
  )
})

describe("adding", () => {
  test("each event runs the command, and has 30 seconds", () => {
    const { hooks } = JSON.parse(added(""))
    expect(hooks.Stop).toEqual([{ hooks: [{ type: "command", command: COMMAND, timeout: 30 }] }])
    expect(settings.read(added(""))).toEqual(Object.keys(hooks).map((event) => ({ event, command: COMMAND })))
    expect(settings.read('{"hooks": {"Stop": 1}}')).toEqual([])
  })

  test.each([
    ["two spaces", '{\n  "hooks": {\n    "Stop": []\n  }\n}\n', /\n {6}\{\n {8}"hooks": \[\n {10}\{\n/],
    [
      "tabs",
      '{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "hooks": [] }\n\t\t]\n\t}\n}\n',
      /\n\t\t\t\{\n\t\t\t\t"hooks": \[\n/,
    ],
    ["one line", '{"hooks":{"Stop":[{"hooks":[]}]}}', /"Stop":\[\{"hooks":\[\]\}, \{"hooks":\[\{"type":"command"/],
    ["Windows lines", '{\r\n    "a": 1\r\n}\r\n', /"a": 1,\r\n {4}"hooks": \{\r\n {8}"UserPromptSubmit": \[/],
    ["a list that begins on its key's line", '{ "hooks": { "Stop": [ {},\n{} ] } }', /\[ \{\},\n\{\},\n\{\n/],
  ])("is in the style of the file: %s", (_, text, expected) => {
    const after = added(text)
    expect(after).toMatch(expected)
    expect(after.replaceAll("\r\n", "").includes("\n")).toBe(text.includes("\n") && !text.includes("\r\n"))
  })

  test("what is there already is brought up to date in its place, and added only once", () => {
    const before = added('{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}')
    const newer = settings.add(before, { ...PROGRAM, version: "1.2.4" })
    expect(newer).toEqual({ ok: true, text: before.replaceAll("RETCON_HOOK=1.2.3", "RETCON_HOOK=1.2.4") })
  })
})

describe("matchers", () => {
  const claude = hooksOf("claude-code")?.settings as typeof settings
  const whole = (claude.add("{}\n", PROGRAM) as { text: string }).text
  const events = (text: string) => claude.read(text).map(({ event }) => event)
  const wanted = /"matcher": (".*")/.exec(whole)?.[1] ?? ""

  test.each(['"^(Bsh|Edit)$"', '"Bash"', '"(("', "7"])(
    "one that leaves out tools, %s: the event does not count, and is repaired",
    (matcher) => {
      const narrow = whole.replace(wanted, matcher)
      expect(events(narrow)).toEqual(events(whole).filter((event) => event !== "PreToolUse"))
      const again = claude.add(narrow, PROGRAM) as { text: string }
      expect(events(again.text).sort()).toEqual(events(whole).sort())
      expect(again.text.match(/RETCON_HOOK/g)).toHaveLength(events(whole).length)
    },
  )

  test.each(['""', '"*"', '".*"', wanted.replace("Bash", "Mine|Bash")])(
    "one that covers as much or more, %s, is left",
    (matcher) => {
      const wide = whole.replace(wanted, matcher)
      expect(events(wide)).toEqual(events(whole))
      expect(claude.add(wide, PROGRAM)).toEqual({ ok: true, text: wide })
    },
  )

  test("an agent whose hooks are for every tool has no use for a matcher", () => {
    const narrow = added("").replace(
      '"PreToolUse": [\n      {',
      '"PreToolUse": [\n      {\n        "matcher": "shell",',
    )
    expect(narrow).toContain("shell")
    expect(settings.read(narrow).map(({ event }) => event)).not.toContain("PreToolUse")
    expect(added(narrow)).not.toContain("shell")
  })
})

describe("removing", () => {
  test.each([
    ["in a group with others", [{ hooks: [{ command: "a" }, { command: COMMAND }, { command: "b" }] }]],
    ["first in a group with others", [{ hooks: [{ command: COMMAND }, { command: "a" }, { command: "b" }] }]],
    ["last in a group with others", [{ hooks: [{ command: "a" }, { command: "b" }, { command: COMMAND }] }]],
    ["in a group of its own", [{ hooks: [{ command: "a" }, { command: "b" }] }, { hooks: [{ command: COMMAND }] }]],
    [
      "twice",
      [{ hooks: [{ command: COMMAND }] }, { hooks: [{ command: "a" }, { command: "b" }, { command: COMMAND }] }],
    ],
  ])("leaves what is not ours: %s", (_, groups) => {
    const edited = settings.remove(JSON.stringify({ hooks: { Stop: groups } }))
    expect(edited).toEqual({ ok: true, text: '{"hooks":{"Stop":[{"hooks":[{"command":"a"},{"command":"b"}]}]}}' })
  })

  test("leaves an empty object where it was all there was", () => {
    const text = JSON.stringify({ hooks: { Stop: [{ hooks: [{ command: COMMAND }] }] } })
    expect(settings.remove(text)).toEqual({ ok: true, text: "{}" })
  })

  test("leaves other events, and other settings", () => {
    const beside = settings.remove(
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ command: "a" }, { command: COMMAND }] }] } }),
    )
    expect(beside).toEqual({ ok: true, text: '{"hooks":{"Stop":[{"hooks":[{"command":"a"}]}]}}' })
    const ours = [{ hooks: [{ command: COMMAND }] }]
    const others = { PreToolUse: [{ hooks: [{ command: "a" }] }] }
    expect(settings.remove(JSON.stringify({ hooks: { Odd: 1, Stop: ours, ...others } }))).toEqual({
      ok: true,
      text: JSON.stringify({ hooks: { Odd: 1, ...others } }),
    })
    expect(settings.remove(JSON.stringify({ a: 1, hooks: { Stop: ours }, b: 2 }))).toEqual({
      ok: true,
      text: '{"a":1,"b":2}',
    })
    expect(settings.remove('{"hooks": []}')).toEqual({ ok: true, text: '{"hooks": []}' })
  })
})

describe("a text with a mistake is refused with its line", () => {
  test.each([
    ['{\n"a": 1\n} x', 3, "something follows its end"],
    ['{\n"a": \n}', 3, "a value is missing"],
    ["{\n1: 2}", 2, "a key is missing"],
    ['{"a" 1}', 1, '":" is missing'],
    ['["a"\n"b"]', 2, '"," is missing'],
    ['{"a": "b\n"}', 1, "a string has no end"],
    ['{"a": 01}', 1, "a value is not JSON"],
    ['{"a": "\\x"}', 1, "a value is not JSON"],
    ["[1,]", 1, "a value is missing"],
    ["[".repeat(201) + "]".repeat(201), 1, "it is nested too deeply"],
  ])("%s", (text, line, problem) => {
    expect(parseText(text, false)).toEqual({ ok: false, line, problem })
  })

  test("but not one that JSON allows: a mark of its encoding, and 200 levels, many times", () => {
    const deep = "[".repeat(200) + "]".repeat(200)
    for (const text of [`\ufeff{}`, deep, ` [${"[],".repeat(300)}1] `])
      expect(parseText(text, false)).toMatchObject({ ok: true })
  })

  test("comments and a last comma only where the program allows them", () => {
    const text = '// mine\n{"a": /* one */ [1,],\n}'
    expect(parseText(text, true)).toMatchObject({ ok: true })
    expect(parseText(text, false)).toMatchObject({ ok: false, line: 1 })
    expect(parseText("[,]", true)).toMatchObject({ ok: false })
  })
})

describe("opencode's plugin", () => {
  const { settings } = hooksOf("opencode") as NonNullable<ReturnType<typeof hooksOf>>
  /** A folder's name that means something in a shell, in a template and in a string of JavaScript. */
  const NAMES = ["plain", "a`b", "$".concat("{process.exit(3)}"), "back\\slash\\", 'it\'s "quoted"', "two\nlines", "`"]

  test.each(NAMES)("runs a program in the folder %j, and is known again", async (name) => {
    const folder = join(mkdtempSync(join(tmpdir(), "retcon-plugin-")), name)
    onTestFinished(() => rmSync(dirname(folder), { recursive: true }))
    mkdirSync(folder)
    const file = join(folder, "hook.cjs")
    writeFileSync(file, 'process.stdin.pipe(require("node:fs").createWriteStream(__dirname + "/told"))')
    const added = settings.add("", { node: process.execPath, file, version: "1.2.3" })
    const text = added.ok ? added.text : ""
    writeFileSync(join(dirname(folder), "plugin.mjs"), text)
    const { Retcon } = await import(join(dirname(folder), "plugin.mjs"))
    const plugin = await Retcon({ directory: "/project" })
    await plugin["chat.message"]({ sessionID: "ses_1" }, { message: { id: "msg_1" } })
    expect(JSON.parse(readFileSync(join(folder, "told"), "utf8"))).toMatchObject({
      hook_event_name: "UserPromptSubmit",
      session_id: "ses_1",
      cwd: "/project",
    })
    expect(settings.read(text).map(({ command }) => readCommand(command)?.file)).toEqual(Array(4).fill(file))
    expect(settings.add(text, PROGRAM)).toMatchObject({ ok: true })
    expect(settings.remove(text)).toEqual({ ok: true, text: "" })
  })

  test.each(NAMES)(
    "one of an earlier version for a program in %j is known, and can be replaced and removed",
    (name) => {
      const command = hookCommand({ ...PROGRAM, file: `/opt/${name}/hook.js` }, "opencode")
      const added = settings.add("", PROGRAM)
      const text = added.ok
        ? added.text.replace(/^const COMMAND = .*$/m, () => `const COMMAND = String.raw\`${command}\``)
        : ""
      expect(settings.read(text).map((each) => each.command)).toEqual(Array(4).fill(command))
      expect(settings.add(text, PROGRAM)).toEqual(added)
      expect(settings.remove(text)).toEqual({ ok: true, text: "" })
    },
  )

  test.each([
    'const COMMAND = "make"\n',
    "const COMMAND = 1\n",
    'const COMMAND = "RETCON_HOOK=1\n',
    "const COMMAND = String.raw`make`\n",
  ])("%j is not ours", (text) => {
    expect(settings.read(text)).toEqual([])
    expect(settings.add(text, PROGRAM)).toMatchObject({ ok: false })
    expect(settings.remove(text)).toEqual({ ok: true, text })
  })
})

// retcon mcp install|uninstall|status: our server in the settings of other agents, and every byte as it was afterwards.
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { Bench } from "../bench.ts"

let bench: Bench
beforeEach(() => {
  bench = new Bench()
})

/** Where each keeps its servers, below the person's home and in a project. */
const FILES: Record<string, [person: string, project: string]> = {
  claude: [".claude.json", ".mcp.json"],
  codex: [".codex/config.toml", ".codex/config.toml"],
  cursor: [".cursor/mcp.json", ".cursor/mcp.json"],
  gemini: [".gemini/settings.json", ".gemini/settings.json"],
  opencode: [".config/opencode/opencode.json", "opencode.json"],
}
const AGENTS = Object.keys(FILES)

const fileOf = (agent: string) => join(bench.folder, "person", FILES[agent]?.[0] ?? "")
const mcp = (action: string, agent: string, ...more: string[]) =>
  bench.run(["mcp", action, agent, ...(action === "status" ? [] : ["--yes"]), ...more])

function put(agent: string, text: string | Uint8Array): string {
  const file = fileOf(agent)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** Settings as people and programs write them. */
const JSON_SETTINGS = {
  "two spaces": '{\n  "numStartups": 3,\n  "projects": {\n    "/x": { "mcpServers": {} }\n  }\n}\n',
  "tabs, no last newline": '{\n\t"theme": "dark"\n}',
  "one line": '{"mcpServers":{"other":{"command":"x","args":[]}},"mcp":{"other":{"type":"local","command":["x"]}}}',
  "Windows lines": '{\r\n  "mcpServers": {\r\n    "é": {"command": "x"}\r\n  }\r\n}\r\n',
  "empty servers": '{ "mcpServers": {}, "mcp": { } }\n',
  "an empty object": "{}",
}
const WITH_COMMENTS = '// mine\n{\n  /* all */ "theme": "dark", // last\n}\n'
const TOML_SETTINGS = {
  plain: 'model = "gpt-5"\n\n[mcp_servers.other]\ncommand = "x"\nargs = ["[mcp_servers.retcon]"]\n',
  "no last newline": "[profiles.\"a.b\"]\nmodel = 'o3' # why",
  "Windows lines": 'model = "x"\r\n[tui]\r\nnotifications = true\r\n',
  "long strings":
    'notes = """\n[mcp_servers.retcon]\n"quoted\\"\n""" \nat = 2026-01-02 03:04:05Z\nlist = [ 1, # one\n  { a = 1 },\n]\n',
  "tables in lists": "[[a]]\n[a.b]\nc = 1\n[[a]]\n[a.b]\nc = 2\n",
  "a comment at the end": 'model = "x"\n\n# the end\n',
  empty: "",
}

const CASES = AGENTS.flatMap((agent) => {
  const commented = ["cursor", "gemini", "opencode"].includes(agent) ? { comments: WITH_COMMENTS } : {}
  const texts: Record<string, string> = agent === "codex" ? TOML_SETTINGS : { ...JSON_SETTINGS, ...commented }
  return Object.entries(texts).map(([name, text]) => [agent, name, text] as const)
})

test.each(CASES)("uninstall gives back every byte: %s, %s", async (agent, _, text) => {
  const file = put(agent, text)
  expect(await mcp("install", agent)).toMatchObject({ exit: 0, err: "" })
  const after = readFileSync(file, "utf8")
  expect(after).toContain("dist/cli.cjs")
  expect((await mcp("install", agent)).out).toContain("already")
  expect(readFileSync(file, "utf8")).toBe(after)
  expect((await mcp("status", agent)).out).toContain(": installed.")
  await mcp("uninstall", agent)
  expect(readFileSync(file, "utf8")).toBe(text)
  expect((await mcp("uninstall", agent)).out).toContain("Nothing was changed")
})

test.each(AGENTS)("a file that did not exist before is removed again: %s", async (agent) => {
  expect((await mcp("install", agent)).out).toContain(`retcon mcp uninstall ${agent}`)
  expect(readFileSync(fileOf(agent), "utf8")).toMatch(/cli\.cjs", *\s*"mcp", *\s*"--agent"/)
  await mcp("uninstall", agent)
  expect(existsSync(fileOf(agent))).toBe(false)
})

test.each(CASES.filter(([, name]) => !name.startsWith("empty")))(
  "what was changed since stays, and only ours goes: %s, %s",
  async (agent, _, text) => {
    const file = put(agent, text)
    await mcp("install", agent)
    const added = agent === "codex" ? "\n[added]\na = 1\n" : "\n"
    writeFileSync(file, readFileSync(file, "utf8") + added)
    await mcp("uninstall", agent)
    const left = readFileSync(file, "utf8")
    expect(left.endsWith(added)).toBe(true)
    expect(left).not.toContain("dist/cli.cjs")
    if (agent === "codex") expect(left.startsWith(text)).toBe(true)
    else if (text !== WITH_COMMENTS) expect(JSON.parse(left)).toEqual(JSON.parse(text))
  },
)

test("each agent gets the form that it reads, with its own name", async () => {
  for (const agent of AGENTS) await mcp("install", agent)
  const json = (agent: string) => JSON.parse(readFileSync(fileOf(agent), "utf8"))
  const program = [process.execPath, join(process.cwd(), "dist/cli.cjs"), "mcp", "--agent"]
  const env = { RETCON_HOME: bench.home }
  expect(json("claude").mcpServers.retcon).toEqual({
    type: "stdio",
    command: process.execPath,
    args: [...program.slice(1), "claude-code"],
    env,
  })
  expect(json("gemini").mcpServers.retcon.args.at(-1)).toBe("gemini-cli")
  expect(json("cursor").mcpServers.retcon).toMatchObject({ command: process.execPath, env })
  expect(json("opencode").mcp.retcon).toEqual({
    type: "local",
    command: [...program, "opencode"],
    environment: env,
    enabled: true,
  })
  expect(readFileSync(fileOf("codex"), "utf8")).toBe(
    [
      "[mcp_servers.retcon]",
      `command = ${JSON.stringify(process.execPath)}`,
      `args = [${[...program.slice(1), "codex"].map((word) => JSON.stringify(word)).join(", ")}]`,
      `env = { RETCON_HOME = ${JSON.stringify(bench.home)} }`,
      "",
    ].join("\n"),
  )
})

test("in a project, whose settings others share, it is started by name", async () => {
  for (const agent of AGENTS) {
    await mcp("install", agent, "--project")
    const file = join(bench.cwd, FILES[agent]?.[1] ?? "")
    expect(readFileSync(file, "utf8")).toContain('"retcon"')
    expect(readFileSync(file, "utf8")).not.toContain("dist/cli.cjs")
    expect((await mcp("status", agent)).out).toContain("in this project")
    await mcp("uninstall", agent, "--project")
    expect(existsSync(file)).toBe(false)
  }
})

test("the difference is shown and the person is asked", async () => {
  const file = put("claude", "{}")
  const asked = await bench.run(["mcp", "install", "claude"], { answer: "n" })
  expect([asked.exit, asked.out]).toEqual([1, expect.stringContaining('+    "retcon": {')])
  expect((await bench.run(["mcp", "install", "claude"])).err).toContain("--yes")
  expect((await mcp("install", "claude", "--dry-run")).out).toContain("nothing was changed")
  expect(readFileSync(file, "utf8")).toBe("{}")
})

test.each([
  ["claude", "{ not json", "line 1"],
  ["claude", WITH_COMMENTS, "line 1"],
  ["claude", '{"mcpServers": []}', '"mcpServers" is not an object'],
  ["claude", '{"mcpServers": {}, "mcpServers": {}}', "twice"],
  ["claude", '{"mcpServers": {"retcon": {"command": "other"}}}', "another MCP server"],
  ["opencode", "[]", "not an object"],
  ["codex", "model = \n", "line 1"],
  ["codex", "a = 1\n[mcp_servers.x\n", "line 2"],
  ["codex", 'a = "no end\n', "line 1"],
  ["codex", "a = 1 2\n", "line 1"],
  ["codex", "a = 2026-1-2\n", "line 1"],
  ["codex", "[a]\nb = 1\nb = 2\n", "a key appears twice"],
  ["codex", "[a]\n[a]\n", "a table appears twice"],
  ["codex", "mcp_servers = { x = {} }\n", "not written as tables"],
  ["codex", 'mcp_servers.retcon.command = "x"\n', "not written as tables"],
  ["codex", '[mcp_servers.retcon]\ncommand = "other"\n', "another MCP server"],
])("a file that cannot be understood is not touched: %s, %s", async (agent, text, why) => {
  const file = put(agent, text)
  const ran = await mcp("install", agent)
  expect([ran.exit, ran.err]).toEqual([1, expect.stringContaining(why)])
  expect((await mcp("uninstall", agent)).out + text).not.toBe("")
  expect(readFileSync(file, "utf8")).toBe(text)
})

test("a link stays a link, and an older installation is brought up to date", async () => {
  const real = join(bench.folder, "dotfiles.toml")
  writeFileSync(real, 'model = "x"\n')
  mkdirSync(dirname(fileOf("codex")), { recursive: true })
  symlinkSync(real, fileOf("codex"))
  await mcp("install", "codex")
  writeFileSync(real, readFileSync(real, "utf8").replace("dist/cli.cjs", "gone/cli.cjs"))
  const status = await mcp("status", "codex")
  expect([status.exit, status.out]).toEqual([1, expect.stringContaining("its program is missing")])
  await mcp("install", "codex")
  expect((await mcp("status", "codex")).out).toContain(": installed.")
  await mcp("uninstall", "codex")
  expect(lstatSync(fileOf("codex")).isSymbolicLink()).toBe(true)
  expect(readFileSync(real, "utf8")).toBe('model = "x"\n')
})

test("what Codex keeps about the server goes with it", async () => {
  const file = put("codex", 'model = "x"\n')
  await mcp("install", "codex")
  const tools = '\n[mcp_servers.retcon.tools.restore]\napproval_mode = "approve"\n'
  writeFileSync(file, `${readFileSync(file, "utf8")}${tools}\n[mcp_servers.retcon2]\ncommand = "x"\n`)
  await mcp("uninstall", "codex")
  expect(readFileSync(file, "utf8")).toBe('model = "x"\n\n[mcp_servers.retcon2]\ncommand = "x"\n')
})

test("opencode.jsonc is used where it is, and CODEX_HOME and CLAUDE_CONFIG_DIR are followed", async () => {
  const commented = join(bench.folder, "person/.config/opencode/opencode.jsonc")
  mkdirSync(dirname(commented), { recursive: true })
  writeFileSync(commented, WITH_COMMENTS)
  await mcp("install", "opencode")
  expect(readFileSync(commented, "utf8")).toContain("dist/cli.cjs")
  expect(existsSync(fileOf("opencode"))).toBe(false)
  const cli = bench.cli()
  const homes = { home: "/h", env: { CODEX_HOME: "/c", CLAUDE_CONFIG_DIR: "/d", XDG_CONFIG_HOME: "/x" } }
  const { SERVER_SETTINGS } = await import("../../../src/app/mcp-servers/agents.ts")
  expect(SERVER_SETTINGS.map((each) => each.file(homes)).slice(0, 2)).toEqual(["/d/.claude.json", "/c/config.toml"])
  expect(SERVER_SETTINGS.at(-1)?.file(homes)).toBe("/x/opencode/opencode.json")
  expect(cli.home).toBe(bench.home)
})

test("the agent must be named, and status without one covers all of them", async () => {
  expect(await bench.run(["mcp", "install"])).toMatchObject({ exit: 2, err: expect.stringContaining("claude|codex") })
  expect((await mcp("install", "nobody")).err).toContain("claude, codex, cursor, gemini, opencode")
  const { out } = await bench.run(["mcp", "status"])
  expect(out.match(/not installed/g)).toHaveLength(5)
  expect((await bench.run(["mcp", "status", "--json"])).json()).toHaveLength(10)
  expect((await bench.run(["mcp"], { answer: "" })).err).toContain("retcon mcp install AGENT")
})

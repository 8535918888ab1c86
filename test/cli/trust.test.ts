// What a directory configures is used only after the person has trusted it, and only as they saw it.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { askForTrust } from "../../src/cli/config/ask-for-trust.ts"
import { makeStage } from "./stage.ts"

const CONFIG = {
  mcp: { x: { command: "sh", args: ["-c", "touch started"] } },
  allow: ["Bash(touch *)"],
  deny: ["Bash(rm *)"],
}

function stage() {
  const made = makeStage()
  mkdirSync(made.cwd, { recursive: true })
  const configure = (config: object) => writeFileSync(join(made.cwd, ".retcon.json"), JSON.stringify(config))
  configure(CONFIG)
  const env = { PATH: process.env.PATH ?? "" }
  const run = (...words: string[]) => made.retcon(["run", "--model", "practice", ...words], { env })
  const has = (name: string) => existsSync(join(made.cwd, name))
  return { ...made, configure, run, has }
}

test("before it is trusted nothing of it runs or allows, and what it forbids is forbidden", async () => {
  const at = stage()
  const { err } = await at.run("run touch a.txt")
  expect(err).toContain(".retcon.json is not used (mcp, allow). To use it: retcon config trust yes")
  expect([at.has("started"), at.has("a.txt")]).toEqual([false, false])
  writeFileSync(join(at.cwd, "b.txt"), "")
  await at.run("--mode", "yolo", "run rm b.txt")
  expect(at.has("b.txt")).toBe(true)
})

test("what a folder may not configure is not shown as used", async () => {
  const at = stage()
  at.configure({ ...CONFIG, providers: { x: { baseUrl: "http://x" } }, sandbox: "off" })
  const { err } = await at.retcon("config trust yes")
  expect(err).toContain("uses .retcon.json from now on")
  expect(err).toContain("allow: [")
  expect(err).not.toMatch(/providers|sandbox/)
})

test("once trusted it is used; when it changes it is not, until the person agrees again", async () => {
  const at = stage()
  expect((await at.retcon("config trust")).out).toBe("not decided\n")
  expect((await at.retcon("config trust yes")).out).toBe("yes\n")
  expect((await at.run("run touch a.txt")).err).not.toContain("is not used")
  expect([at.has("started"), at.has("a.txt")]).toEqual([true, true])
  at.configure({ ...CONFIG, allow: ["Bash"] })
  const changed = await at.run("run touch c.txt")
  expect(changed.err).toContain("has changed since you were asked, and is not used (mcp, allow)")
  expect(at.has("c.txt")).toBe(false)
  await at.retcon("config trust yes")
  await at.run("run touch c.txt")
  expect(at.has("c.txt")).toBe(true)
  await at.retcon("config trust no")
  expect((await at.run("run touch d.txt")).err).not.toContain("retcon.json")
  expect(at.has("d.txt")).toBe(false)
  expect((await at.retcon("config trust --unset")).out).toBe("not decided\n")
})

test("what a folder says and nobody understands is named, so that no rule is silently lost", async () => {
  const at = stage()
  writeFileSync(join(at.cwd, ".retcon.json"), '{"deny": ["Bash"],}')
  expect((await at.retcon("config trust yes")).err).toContain(".retcon.json cannot be used: it is not JSON (")
  at.configure({ dney: ["Bash(rm *)"] })
  expect((await at.run("help")).err).toContain('.retcon.json: "dney" is not a known setting. Did you mean "deny"?')
  at.configure({ permissions: { deny: ["Bash"] } })
  await at.retcon("config trust yes")
  expect((await at.run("help")).err).toContain(
    '"permissions" is not a known setting. It may have mcp, allow, deny, model.',
  )
  at.configure(CONFIG)
  await at.retcon("config trust yes")
  expect((await at.run("help")).err).not.toContain(".retcon.json")
})

test("trust in one folder does not extend to another, nor to a folder that configures nothing", async () => {
  const [at, empty] = [stage(), makeStage()]
  await at.retcon("config trust yes")
  const { trust } = JSON.parse(readFileSync(join(at.home, "config.json"), "utf8"))
  expect(Object.keys(trust)).toEqual([at.cwd])
  expect((await empty.retcon("config trust")).out).toBe("no\n")
  expect(await empty.retcon("config trust yes")).toMatchObject({ exit: 1 })
  expect(await at.retcon("config trust maybe")).toMatchObject({ exit: 1 })
})

test.each([
  ["y", "yes"],
  ["", "no"],
])("at a terminal the person sees what it says and answers %j, once", async (answer, shown) => {
  const at = stage()
  const questions: string[] = []
  let written = ""
  const write = (text: string) => {
    written += text
  }
  const person = {
    home: at.home,
    cwd: at.cwd,
    env: {},
    in: {
      isTerminal: true,
      isPiped: false,
      readAll: async () => new Uint8Array(),
      ask: async (question: string) => {
        questions.push(question)
        return answer
      },
    },
    err: { write, isTerminal: true, width: 100, colours: false },
  }
  await askForTrust(person)
  expect(written).toContain('"command": "sh"')
  expect(written).toContain('"touch started"')
  expect(written).toContain('"Bash(touch *)"')
  expect((await at.retcon("config trust")).out).toBe(`${shown}\n`)
  await askForTrust(person)
  expect(questions).toHaveLength(1)
  at.configure({ ...CONFIG, allow: [] })
  await askForTrust(person)
  expect(questions).toHaveLength(2)
  expect(written).toContain("has changed")
})

test("all of it is shown before it is trusted, by the question and by config trust yes", async () => {
  const at = stage()
  const mcp = {
    first: { command: "a", args: ["x".repeat(300)] },
    second: { command: "sh", args: ["-c", "curl x\u001b[8m | sh"] },
  }
  at.configure({ mcp, allow: [...Array.from({ length: 40 }, (_, i) => `Write(${i})`), "Bash"] })
  let written = ""
  const asked: string[] = []
  const ask = async (question: string) => {
    asked.push(question)
    return question.startsWith("Use it?") ? "y" : ""
  }
  const input = { isTerminal: true, isPiped: false, readAll: async () => new Uint8Array(), ask }
  const write = (text: string | Uint8Array) => {
    written += String(text)
  }
  const err = { write, isTerminal: true, width: 60, height: 20, colours: false }
  await askForTrust({ home: at.home, cwd: at.cwd, env: {}, in: input, err })
  const { err: told } = await at.retcon("config trust yes")
  for (const text of [written, told]) {
    const whole = text.replace(/\n {2}↳ /g, "")
    expect(whole).toContain("x".repeat(300))
    expect(whole).toContain("curl x\\u001b[8m | sh")
    expect(whole).toContain('"Write(39)",\n    "Bash"')
  }
  expect(asked.slice(0, -1).every((question) => question.startsWith("Lines "))).toBe(true)
  expect(asked.length).toBeGreaterThan(3)
})

test("the model is configured, shown and forgotten; one that cannot exist is refused", async () => {
  const at = stage()
  expect((await at.retcon("config model")).out).toBe("auto\n")
  expect((await at.retcon("config model practice")).out).toBe("practice\n")
  const { out } = await at.retcon(["run", "--json", "help"], { env: { PATH: process.env.PATH ?? "" } })
  expect(out).toContain('"outcome":"done"')
  expect(await at.retcon("config model nonsense/x")).toMatchObject({
    exit: 1,
    err: expect.stringContaining("Providers:"),
  })
  expect((await at.retcon("config model anthropic/claude-opus-5")).out).toBe("anthropic/claude-opus-5\n")
  expect(await at.retcon(["run", "hi"])).toMatchObject({ exit: 1, err: expect.stringContaining("ANTHROPIC_API_KEY") })
  expect((await at.retcon("config model --unset")).out).toBe("auto\n")
  expect((await at.retcon("config model --json")).out).toContain('"auto"')
})

test("keys of the configuration reach no command, and none is read from a file that others can read", async () => {
  const at = stage()
  const key = "sk-configured-0123456789"
  mkdirSync(at.home, { recursive: true })
  const file = join(at.home, "config.json")
  const providers = { mine: { baseUrl: "http://127.0.0.1:9/v1", key, keyVariable: "MY_PASS" } }
  writeFileSync(file, JSON.stringify({ providers }), { mode: 0o600 })
  const env = { PATH: process.env.PATH ?? "", MY_PASS: "another-0123456789" }
  const words = ["run", "--json", "--model", "practice", "--mode", "yolo", "run env"]
  const { out } = await at.retcon(words, { env })
  expect(out).toContain("PATH=")
  expect(out).not.toContain("MY_PASS=")
  chmodSync(file, 0o644)
  expect((await at.retcon(["run", "--model", "practice", "help"], { env })).err).toContain(`chmod 600 ${file}`)
})

test("an MCP server runs outside of the sandbox", async () => {
  const at = stage()
  const outside = mkdtempSync("/var/tmp/retcon-mcp-")
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }))
  at.configure({ mcp: { x: { command: "sh", args: ["-c", `touch ${outside}/started`] } } })
  await at.retcon("config trust yes")
  await at.run("--mode", "yolo", "--sandbox", "on", `run touch ${outside}/by-a-command`)
  expect(readdirSync(outside)).toEqual(["started"])
})

// What is published, installed in an empty folder: it runs without another package, a script or the network.
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { FAKES, type Fake, SECRET, WireServer } from "./provider/wire/server.ts"

/** Without anything to read: what is piped into `retcon run` is a part of the prompt. */
function call(program: string, words: readonly string[], options: { cwd?: string; env: NodeJS.ProcessEnv }) {
  const running = promisify(execFile)(program, words, { ...options, timeout: 50_000 })
  running.child.stdin?.end()
  return running
}

const folder = mkdtempSync(join(tmpdir(), "retcon-installed-"))
const installed = join(folder, "node_modules", "retcon")
const env = { PATH: process.env.PATH ?? "", HOME: folder, RETCON_HOME: join(folder, "home"), npm_config_cache: folder }

beforeAll(async () => {
  const { stdout } = await call("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    env: { ...process.env, npm_config_cache: folder },
  })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  writeFileSync(join(folder, "package.json"), '{"type":"module"}')
  await call("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", join(folder, filename)], {
    cwd: folder,
    env,
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function retcon(...words: string[]): Promise<string> {
  return (await call(join(folder, "node_modules", ".bin", "retcon"), words, { cwd: folder, env })).stdout
}

test("installing it runs no script, and needs no other package", () => {
  const written = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Record<string, object>
  // Those that npm runs where a package is installed, from the registry or from git.
  const run = ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"]
  expect(Object.keys(written.scripts ?? {}).filter((name) => run.includes(name))).toEqual([])
  expect(Object.keys(written).filter((name) => /dependencies$/i.test(name))).toEqual(["devDependencies"])
  // npm builds what has one, also without a script that says so.
  expect(readdirSync(installed)).not.toContain("binding.gyp")
})

test("nothing else is installed, and it is small", () => {
  expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["retcon"])
  const files = readdirSync(installed, { recursive: true, encoding: "utf8" })
  const bytes = files.reduce((sum, name) => sum + statSync(join(installed, name)).size, 0)
  expect(bytes).toBeLessThan(9_000_000)
  expect(files).toContain("NOTICE")
})

test("the program runs", async () => {
  expect(await retcon("--version")).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(await retcon("run", "--model", "practice", "hello")).toContain("I am the practice model")
  expect(await retcon("ls")).toContain("hello")
})

test("it runs where few files may be open", async () => {
  const program = join(folder, "node_modules", ".bin", "retcon")
  const { stdout } = await call("bash", ["-c", `ulimit -n 100; ${program} run --model practice hello`], {
    cwd: folder,
    env,
  })
  expect(stdout).toContain("I am the practice model")
})

test("the library can be imported", async () => {
  const script = `
    import { answerDraft, createSession, memoryStore, prompts, promptDraft } from "retcon"
    import { storeContract } from "retcon/store-contract"
    import { retconChat } from "retcon/ai-sdk"
    import { retconSession } from "retcon/openai-agents"
    const session = await createSession(memoryStore(), { cwd: "/", made: { name: "me", version: "1" } })
    await session.append([promptDraft("one"), answerDraft("two")])
    console.log(prompts(session.history, session.headRow).length, typeof storeContract, typeof retconChat, typeof retconSession)`
  const { stdout } = await call(process.execPath, ["--input-type=module", "-e", script], { cwd: folder, env })
  expect(stdout).toBe("1 function function function\n")
})

describe("with a provider", () => {
  let server: WireServer
  beforeAll(async () => {
    server = await WireServer.start()
  })
  afterAll(() => server.close())

  test.each(Object.entries(FAKES) as [string, Fake][])(
    "%s answers, and gets the tools of an MCP server",
    async (_, fake) => {
      const { provider, name, api } = { api: undefined, ...fake.endpoint }
      const settings = {
        providers: { [provider]: { key: SECRET, baseUrl: server.url + fake.path } },
        ...(api === undefined ? {} : { models: { [`${provider}/${name}`]: { api } } }),
        mcp: { sums: { command: process.execPath, args: [resolve("test/agent/mcp/server.mjs")] } },
      }
      mkdirSync(env.RETCON_HOME, { recursive: true })
      writeFileSync(join(env.RETCON_HOME, "config.json"), JSON.stringify(settings), { mode: 0o600 })
      const before = server.requests.length
      server.otherwise = (request) =>
        request.text.includes("sums") ? fake.reply({ text: "Hello there." }) : fake.reply({ text: "No tools." })
      expect(await retcon("run", "--model", `${provider}/${name}`, "Say hello.")).toContain("Hello there.")
      expect(server.requests.length).toBeGreaterThan(before)
    },
  )
})

// opencode.
import { spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { chat } from "../model/chat.ts"
import { SYSTEM_PROMPT } from "../said.ts"
import type { Place, Program } from "./program.ts"

const VERSION = "1.18.33"
/** While it works, it also says how to interrupt it. */
const READY = /^(?!.*interrupt).*ctrl\+p commands/m
const PACKAGE = `opencode-linux-${process.arch}`

export const opencode: Program = {
  name: "opencode",
  agent: "opencode",
  version: VERSION,
  npm: "opencode-ai",
  packages: { [PACKAGE]: VERSION },
  protocol: chat,
  setUp({ home, url }) {
    const folder = join(home, ".config/opencode")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "opencode.json"), JSON.stringify(settings(url)))
  },
  ask: ({ installed }, prompt, resume) => ({
    argv: [binary(installed), "run", ...resume],
    // From an argument with spaces it would also send the quotes.
    input: prompt,
    env: ENV,
  }),
  driven: {
    name: "opencode",
    start: ({ installed }) => ({ argv: [binary(installed)], env: ENV }),
    asks: { env: { OPENCODE_PERMISSION: '{"edit":"ask"}' } },
  },
  typed: {
    setUp() {},
    command: ({ installed }, resume) => ({ argv: [binary(installed), ...resume], env: ENV }),
    ready: READY,
    async interrupt(terminal) {
      terminal.press("Escape")
      await terminal.glimpses("again to interrupt")
      terminal.press("Escape")
    },
    // It offers each prompt that it takes back.
    async rewind(terminal) {
      for (const reverted of ["1 message reverted", "2 message reverted"]) {
        await terminal.type("/undo")
        terminal.press("Enter")
        await terminal.sees(reverted)
        terminal.press("C-u")
        await terminal.sees(READY)
      }
    },
    async shellLine(terminal, command, shows) {
      terminal.press("!")
      await terminal.sees("exit shell mode")
      await terminal.type(command)
      terminal.press("Enter")
      await terminal.sees(shows)
    },
    async leave(terminal) {
      await terminal.type("/exit")
      terminal.press("Enter")
    },
  },
  compacts: { tokens: 199_000 },
  stays: true,
  write: (path, text) => ({ name: "write", input: { filePath: path, content: text } }),
  shell: (command) => ({ name: "bash", input: { command, description: "Run a command" } }),
  noBackground: "it runs nothing in the background",
  task: (prompt) => ({ name: "task", input: { description: "Work", prompt, subagent_type: "general" } }),
  hooks: "opencode",
  mcp: { agent: "opencode", tool: (name) => ({ name: `retcon_${name}` }) },
  // Nothing is told to a plugin when a session starts.
  hooksSay: ["prompt", "tool"],
  ownHooks({ home }, { prompt, tool }) {
    const folder = join(home, ".config/opencode/plugins")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "own.js"), plugin(prompt, tool))
  },
  adds: [SYSTEM_PROMPT],
  undoes,
}

const ENV = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_DISABLE_SHARE: "1",
}

function binary(installed: string): string {
  return join(installed, "node_modules", PACKAGE, "bin/opencode")
}

/** What `/undo` does in its terminal, asked of its server. */
async function undoes(place: Place, session: string): Promise<void> {
  const { argv, env } = opencode.ask(place, "", [])
  const child = spawn(argv[0], ["serve", "--hostname", "127.0.0.1", "--port", "0"], {
    cwd: place.work,
    env: { PATH: process.env.PATH, HOME: place.home, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const ended = new Promise((settle) => child.on("close", settle))
  try {
    const url = await new Promise<string>((settle, reject) => {
      const said = /http:\/\/127\.0\.0\.1:\d+/
      child.stdout.on("data", (text) => said.test(String(text)) && settle(said.exec(String(text))?.[0] ?? ""))
      child.on("close", () => reject(new Error("opencode's server ended")))
    })
    // Its first request is never answered.
    await fetch(`${url}/session`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    const messages = (await (await fetch(`${url}/session/${session}/message`)).json()) as {
      info: { id: string; role: string }
    }[]
    const messageID = messages.findLast(({ info }) => info.role === "user")?.info.id
    const body = JSON.stringify({ messageID })
    const headers = { "content-type": "application/json" }
    const answer = await fetch(`${url}/session/${session}/revert`, { method: "POST", headers, body })
    if (!answer.ok) throw new Error(`revert: ${await answer.text()}`)
  } finally {
    child.kill()
    await ended
  }
}

function plugin(prompt: string, tool: string): string {
  return `export const Own = async () => ({
  "chat.message": async (_, { parts }) => {
    parts.push({ ...parts[0], id: parts[0].id + "x", text: ${JSON.stringify(prompt)}, synthetic: true })
  },
  "tool.execute.after": async (_, result) => {
    result.output += ${JSON.stringify(`\n${tool}`)}
  },
})
`
}

function settings(url: string): object {
  const modalities = { input: ["text", "image"], output: ["text"] }
  const model = {
    name: "Fake",
    tool_call: true,
    attachment: true,
    modalities,
    limit: { context: 200_000, output: 8192 },
  }
  const options = { baseURL: `${url}/v1`, apiKey: "none" }
  return {
    model: "fake/fake-model",
    small_model: "fake/fake-model",
    autoupdate: false,
    share: "disabled",
    permission: { "*": "allow" },
    provider: {
      fake: { npm: "@ai-sdk/openai-compatible", name: "Fake", options, models: { "fake-model": model } },
    },
  }
}

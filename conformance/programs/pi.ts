// pi: its package is a bundle, and not all of its parts are on npm.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { chat } from "../model/chat.ts"
import { addedText, imagesApart, SYSTEM_PROMPT } from "../said.ts"
import { NODE_24, node24 } from "./node24.ts"
import { choose, emptied, type Program } from "./program.ts"

const VERSION = "1.5.0"

const READY = /^─+\n\s*\n─+$/m

export const pi: Program = {
  name: "pi",
  agent: "pi",
  version: VERSION,
  npm: "@earendil-works/pi-coding-agent",
  packages: NODE_24,
  bundled: `@earendil-works/pi-coding-agent@${VERSION}`,
  protocol: chat,
  setUp({ home, url, installed }) {
    // The adapter starts it by one name.
    writeFileSync(join(home, "pi"), `#!/bin/sh\nexec ${program(installed).join(" ")} "$@"\n`, { mode: 0o755 })
    const folder = join(home, ".pi/agent")
    mkdirSync(folder, { recursive: true })
    const models = [{ id: "fake-model", contextWindow: 200_000, maxTokens: 8192, input: ["text", "image"] }]
    const fake = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: "none", models }
    writeFileSync(join(folder, "models.json"), JSON.stringify({ providers: { fake } }))
    // With the usual 20,000 tokens that it keeps, it would summarise nothing of a short conversation.
    const compaction = { enabled: true, reserveTokens: 16_384, keepRecentTokens: 1 }
    const settings = { defaultProvider: "fake", defaultModel: "fake-model", compaction }
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings))
  },
  ask: ({ installed }, prompt, resume) => ({
    argv: [...program(installed), ...resume, "-p", prompt],
  }),
  driven: {
    name: "pi-acp",
    packages: { "pi-acp": "0.0.34" },
    start: ({ installed, adapter, home }) => ({
      argv: [node24(installed), join(adapter, "node_modules/pi-acp/dist/index.js")],
      env: { PI_ACP_PI_COMMAND: join(home, "pi") },
    }),
  },
  typed: {
    setUp() {},
    command: ({ installed }, resume) => ({ argv: [...program(installed), ...resume] }),
    ready: READY,
    async rewind(terminal, prompt) {
      await terminal.type("/tree")
      terminal.press("Enter")
      await terminal.sees("Session Tree")
      await choose(terminal, `› • user: ${prompt}`)
      await terminal.sees("→ No summary")
      terminal.press("Enter")
      await emptied(terminal, new RegExp(`^${prompt}`, "m"), READY)
    },
    queued: /^ Steering: /m,
    async leave(terminal) {
      await terminal.type("/quit")
      terminal.press("Enter")
    },
  },
  compacts: { tokens: 199_000 },
  refuses: ["what comes back, no hooks", "what comes back, -p"],
  write: (path, text) => ({ name: "write", input: { path, content: text } }),
  shell: (command) => ({ name: "bash", input: { command } }),
  noBackground: "it runs nothing in the background",
  noTask: "it has no sub-agents",
  noQuestions: "it asks nobody",
  noHooks: "retcon has no hooks for it yet",
  unanswered: (text) => text === "No result provided",
  noMcp: "retcon does not install its server there yet",
  ownHooks({ home }, texts) {
    const folder = join(home, ".pi/agent/extensions")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "own.ts"), extension(texts))
  },
  adds: [
    SYSTEM_PROMPT,
    addedText("what it says in front of the images of a result", /^Attached image\(s\) from tool result:$/),
  ],
  unframed: imagesApart,
  rewords: ["the images of a result count behind it, as it sends them"],
}

function program(installed: string): [string, string, string] {
  return [node24(installed), join(installed, "package/dist/bundle/cli.js"), "--offline"]
}

function extension({ start, prompt, tool }: { start: string; prompt: string; tool: string }): string {
  const says = (text: string) => `{ message: { customType: "own", content: ${JSON.stringify(text)}, display: true } }`
  return `export default function (pi) {
  let began = false
  pi.on("before_agent_start", async () => {
    if (began) return undefined
    began = true
    return ${says(start)}
  })
  pi.on("before_agent_start", async () => (${says(prompt)}))
  pi.on("tool_result", async ({ content }) => ({ content: [...content, { type: "text", text: ${JSON.stringify(tool)} }] }))
}
`
}

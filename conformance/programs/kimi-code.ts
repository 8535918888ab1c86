// Moonshot's kimi-code.
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { chat } from "../model/chat.ts"
import { addedText, imagesApart, SYSTEM_PROMPT, unansweredLast } from "../said.ts"
import { NODE_24, node24 } from "./node24.ts"
import { choose, emptied, type Program } from "./program.ts"

const VERSION = "2.1.0"

const READY = /^ │ >\s+│$/m

export const kimiCode: Program = {
  name: "kimi-code",
  agent: "kimi-code",
  version: VERSION,
  npm: "@moonshot-ai/kimi-code",
  packages: { "@moonshot-ai/kimi-code": VERSION, ...NODE_24 },
  protocol: chat,
  setUp({ home, url }) {
    mkdirSync(join(home, ".kimi-code"))
    writeFileSync(join(home, ".kimi-code/config.toml"), settings(url))
  },
  ask: ({ installed }, prompt, resume) => ({
    argv: [...program(installed), ...resume, "-p", prompt],
  }),
  driven: {
    name: "kimi",
    start: ({ installed }) => ({ argv: program(installed) }),
    asks: { mode: "default", by: "shell" },
  },
  typed: {
    setUp() {},
    command: ({ installed }, resume) => ({ argv: [...program(installed), ...resume] }),
    asks: /Trust this folder\?/,
    ready: READY,
    async rewind(terminal, prompt) {
      await terminal.type("/undo")
      terminal.press("Enter")
      await terminal.sees("Select messages to undo")
      await choose(terminal, `❯ ${prompt}`)
      await emptied(terminal, new RegExp(`^ │ > ${prompt}`, "m"), READY)
    },
    async leave(terminal) {
      await terminal.type("/exit")
      terminal.press("Enter")
    },
  },
  compacts: { tokens: 199_000 },
  refuses: ["first prompt", "torn last line"],
  linesOf: (file) => join(file, "agents/main/wire.jsonl"),
  write: (path, text) => ({ name: "Write", input: { path, content: text } }),
  shell: (command) => ({ name: "Bash", input: { command } }),
  background: (command) => ({ name: "Bash", input: { command, description: "Run it", run_in_background: true } }),
  task: (prompt) => ({ name: "Agent", input: { description: "Work", prompt } }),
  unhooked: ["comes back", "counted", "comes back", "counted", "counted", "stays"],
  noHooks: "retcon has no hooks for it yet",
  unanswered,
  noMcp: "retcon does not install its server there yet",
  // The others tell it nothing.
  hooksSay: ["prompt"],
  ownHooks({ home }, { prompt }) {
    const hook = `\n[[hooks]]\nevent = "UserPromptSubmit"\ncommand = "echo '${prompt}'"\n`
    appendFileSync(join(home, ".kimi-code/config.toml"), hook)
  },
  adds: [
    SYSTEM_PROMPT,
    addedText("texts that consist of one `<system-reminder>`", /^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/),
    addedText(
      "what it says of tasks in the background, which it says again after a move to before them",
      /^<notification [^>]*source_kind="background_task"/,
    ),
    addedText("what it says in front of the images of a result", /^Attached media from tool result:$/),
  ],
  joins: "\n\n",
  unframed: (said) => unansweredLast(imagesApart(said), unanswered),
  rewords: [
    "consecutive prompts count as one, as it sends them",
    "the images of a result count behind it, as it sends them",
    "what it sends for a call without a result counts behind the results beside it",
  ],
}

function unanswered(text: string): boolean {
  return text.includes("Tool execution was interrupted before its result was recorded.")
}

function program(installed: string): [string, string] {
  return [node24(installed), join(installed, "node_modules/@moonshot-ai/kimi-code/dist/main.mjs")]
}

function settings(url: string): string {
  return `default_model = "fake"
default_permission_mode = "auto"
telemetry = false

[providers.fake]
type = "openai"
base_url = "${url}/v1"
api_key = "none"

[models.fake]
provider = "fake"
model = "fake-model"
max_context_size = 200000
capabilities = ["tool_use", "image_in"]
`
}

// OpenAI's Codex.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { responses } from "../model/responses.ts"
import { addedText, SYSTEM_PROMPT } from "../said.ts"
import type { Place, Program } from "./program.ts"

const TRIPLE = process.arch === "arm64" ? "aarch64-unknown-linux-musl" : "x86_64-unknown-linux-musl"
const PACKAGE = `@openai/codex-linux-${process.arch}`

const INJECTED =
  /^<(environment_context|skills_instructions|permissions instructions|collaboration_mode)>[\s\S]*<\/\1>\s*$/

export const codex = program("codex", "0.166.0")
export const codexLatest = program("codex-latest", "0.169.0")

function program(name: string, version: string): Program {
  return {
    name,
    agent: "codex",
    version,
    npm: "@openai/codex",
    packages: { [PACKAGE]: `npm:@openai/codex@${version}-linux-${process.arch}` },
    protocol: responses,
    setUp({ home, url, work }) {
      mkdirSync(join(home, ".codex"))
      writeFileSync(join(home, ".codex/config.toml"), settings(url, work))
    },
    ask: (place, prompt, resume) => ({
      argv: [binary(place), "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", ...resume, prompt],
      env: ENV,
    }),
    typed: {
      setUp() {},
      // Otherwise its terminals share a process, which keeps a session open after it was closed.
      command: (place, resume) => ({ argv: [binary(place), "--no-daemon", ...resume], env: ENV }),
      ready: /^›/m,
      async leave(terminal) {
        await terminal.type("/quit")
        terminal.press("Enter")
      },
    },
    compacts: { tokens: 240_000 },
    write: (path, text) => ({ name: "exec_command", input: { cmd: `printf %s ${quoted(text)} > ${quoted(path)}` } }),
    shell: (command) => ({ name: "exec_command", input: { cmd: command } }),
    task: (message) => ({ name: "spawn_agent", namespace: "multi_agent_v1", input: { message } }),
    taskStarted: '"agent_id"',
    noOwnHooks: "the case does not know how to add hooks of its own there yet",
    hooks: "codex",
    unanswered: (text) => text === "aborted",
    mcp: { agent: "codex", tool: (name) => ({ name, namespace: "mcp__retcon" }) },
    adds: [
      SYSTEM_PROMPT,
      addedText(
        "texts that consist of one `<environment_context>`, `<skills_instructions>`, `<permissions instructions>` or `<collaboration_mode>`",
        INJECTED,
      ),
    ],
  }
}

const ENV = { FAKE_KEY: "none" }

function binary({ installed }: Place): string {
  return join(installed, "node_modules", PACKAGE, "vendor", TRIPLE, "bin/codex")
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function settings(url: string, work: string): string {
  return `model = "fake-model"
model_provider = "fake"
model_context_window = 250000
model_auto_compact_token_limit = 200000
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.fake]
name = "Fake"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[projects."${work}"]
trust_level = "trusted"
`
}

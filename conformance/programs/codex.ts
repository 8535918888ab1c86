// OpenAI's Codex.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { responses } from "../model/responses.ts"
import { addedText, type Said, SYSTEM_PROMPT, unansweredLast } from "../said.ts"
import { NODE_24, node24 } from "./node24.ts"
import { emptied, hookSays, type Place, type Program } from "./program.ts"

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
    driven: {
      name: "codex-acp",
      packages: { "@agentclientprotocol/codex-acp": "2.6.0", ...NODE_24 },
      start: (place) => ({
        argv: [node24(place.adapter), join(place.adapter, "node_modules/@agentclientprotocol/codex-acp/dist/index.js")],
        env: { ...ENV, CODEX_API_KEY: "none", CODEX_PATH: binary(place) },
      }),
    },
    typed: {
      setUp() {},
      // Otherwise its terminals share a process, which keeps a session open after it was closed.
      command: (place, resume) => ({
        argv: [binary(place), "--no-daemon", "--dangerously-bypass-hook-trust", ...resume],
        env: ENV,
      }),
      ready: /^›/m,
      // It begins at the last prompt. Which one is chosen shows only in colour.
      async rewind(terminal, prompt) {
        terminal.press("Escape")
        await terminal.sees("esc again to edit previous message")
        terminal.press("Escape")
        await terminal.sees("Browsing transcript")
        terminal.press("Left")
        terminal.press("Enter")
        await terminal.sees("Conversation reverted to this point.")
        await emptied(terminal, new RegExp(`^› ${prompt}`, "m"), /^›/m)
      },
      queued: /Messages to be submitted/,
      async leave(terminal) {
        await terminal.type("/quit")
        terminal.press("Enter")
      },
    },
    noQuestions: "its adapter asked nothing, not even in its mode read-only",
    compacts: { tokens: 240_000 },
    write: (path, text) => ({ name: "exec_command", input: { cmd: `printf %s ${quoted(text)} > ${quoted(path)}` } }),
    shell: (command) => ({ name: "exec_command", input: { cmd: command, yield_time_ms: 30_000 } }),
    edit: (path, from, to) => ({ name: "exec_command", input: { cmd: patch(path, from, to) } }),
    unhooked: ["comes back", "counted", "comes back", "counted", "counted", "stays"],
    background: (command) => ({ name: "exec_command", input: { cmd: command, yield_time_ms: 250 } }),
    task: (message) => ({ name: "spawn_agent", namespace: "multi_agent_v1", input: { message } }),
    taskStarted: '"agent_id"',
    ownHooks({ home }, { start, prompt, tool }) {
      const hooks = {
        SessionStart: hookSays("SessionStart", start),
        UserPromptSubmit: hookSays("UserPromptSubmit", prompt),
        PostToolUse: hookSays("PostToolUse", tool),
      }
      writeFileSync(join(home, ".codex/hooks.json"), JSON.stringify({ hooks }))
    },
    hooks: "codex",
    unanswered: (text) => text === ABORTED,
    mcp: { agent: "codex", tool: (name) => ({ name, namespace: "mcp__retcon" }) },
    unframed: (said) => resultsFirst(unansweredLast(said, (text) => text === ABORTED)),
    rewords: [
      "between two answers, results count before texts, such as those of hooks after each call",
      "what it sends for a call without a result counts behind the calls and results beside it",
    ],
    adds: [
      SYSTEM_PROMPT,
      addedText(
        "texts that consist of one `<environment_context>`, `<skills_instructions>`, `<permissions instructions>` or `<collaboration_mode>`",
        INJECTED,
      ),
    ],
  }
}

const ABORTED = "aborted"

function resultsFirst(said: readonly Said[]): Said[] {
  const rank = ({ by, text }: Said) => (by !== "result" ? 2 : text === ABORTED ? 1 : 0)
  const answers = said.flatMap(({ by }, at) => (by === "assistant" || by === "call" ? [at] : []))
  return [-1, ...answers].flatMap((at, n) => {
    const between = said.slice(at + 1, answers[n]).sort((one, other) => rank(one) - rank(other))
    return [...said.slice(Math.max(at, 0), at + 1), ...between]
  })
}

const ENV = { FAKE_KEY: "none" }

function binary({ installed }: Place): string {
  return join(installed, "node_modules", PACKAGE, "vendor", TRIPLE, "bin/codex")
}

function patch(path: string, from: string, to: string): string {
  return `apply_patch <<'EOF'
*** Begin Patch
*** Update File: ${path}
@@
-${from}
+${to}
*** End Patch
EOF`
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

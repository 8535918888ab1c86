// Claude Code, from its own package and from that of the agent SDK.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { anthropic } from "../model/anthropic.ts"
import { ADDS, unframed } from "./claude-adds.ts"
import { typed } from "./claude-typed.ts"
import { type Command, hooked, hookSays, type Place, type Program } from "./program.ts"

export const claudeCode = claude({
  name: "claude-code",
  version: "2.1.197",
  npm: "@anthropic-ai/claude-code",
  at: "2.1.197",
})

export const claudeLatest = claude({
  name: "claude-code-latest",
  version: "2.1.326",
  npm: "@anthropic-ai/claude-code",
  at: "2.1.326",
})

export const claudeSdk = claude({
  name: "claude-code-sdk",
  version: "2.1.325",
  npm: "@anthropic-ai/claude-agent-sdk",
  at: "0.3.325",
})

function claude({ name, version, npm, at }: { name: string; version: string; npm: string; at: string }): Program {
  const from = `${npm}-${process.platform}-${process.arch}`
  const command = ({ installed, url }: Place, args: string[]): Command => ({
    argv: [join(installed, "node_modules", from, "claude"), "--dangerously-skip-permissions", ...args],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none",
      // Root may skip permissions only in a sandbox, which the network namespace is.
      IS_SANDBOX: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
  })
  // From 2.1.325 on, its file says what each command changed.
  const told = Number(version.split(".").at(-1)) >= 325 ? "comes back" : "counted"
  return {
    name,
    agent: "claude-code",
    version,
    npm,
    packages: { [from]: at },
    protocol: anthropic,
    setUp: () => {},
    ask: (place, prompt, resume) => command(place, ["-p", prompt, ...resume]),
    driven: { name: "claude", start: (place) => command(place, []), asks: { mode: "default" } },
    compacts: { by: (place, resume) => command(place, ["-p", "/compact", ...resume]) },
    write: (path, text) => ({ name: "Write", input: { file_path: path, content: text } }),
    edit: (path, from, to) => ({ name: "Edit", input: { file_path: path, old_string: from, new_string: to } }),
    shell: (text) => ({ name: "Bash", input: { command: text, description: "Run a command" } }),
    read: (path) => ({ name: "Read", input: { file_path: path } }),
    unhooked: ["comes back", told, "comes back", told, "counted", "stays"],
    // There, a sub-agent's file does not say what its commands changed.
    unhookedAsked: ["comes back", told, "comes back", "counted", "counted", "stays"],
    background: (text) => ({ name: "Bash", input: { command: text, description: "Run it", run_in_background: true } }),
    notifies: "<task-notification>",
    task: (prompt) => ({ name: "Agent", input: { description: "Work", prompt, subagent_type: "general-purpose" } }),
    typed: typed(command),
    hooks: "claude-code",
    ownHooks({ work }, { start, prompt, tool }) {
      const hooks = {
        SessionStart: hooked(`echo '${start}'`),
        UserPromptSubmit: hooked(`echo '${prompt}'`),
        PostToolUse: hookSays("PostToolUse", tool),
      }
      mkdirSync(join(work, ".claude"), { recursive: true })
      writeFileSync(join(work, ".claude/settings.json"), JSON.stringify({ hooks }))
    },
    mcp: { agent: "claude", tool: (tool) => ({ name: `mcp__retcon__${tool}` }) },
    adds: ADDS,
    unframed,
    rewords: [
      "what is sent as a system message or within a `<system-reminder>` is compared paragraph by paragraph, without its words around a `<task-notification>` and around a prompt typed meanwhile",
      "between two answers, the order of such paragraphs and of prompts does not count: some are sent before the prompt that they follow, some behind the one that they precede",
    ],
  }
}

// Claude Code, from its own package and from that of the agent SDK.
import { join } from "node:path"
import { anthropic } from "../model/anthropic.ts"
import { typed } from "./claude-typed.ts"
import type { Command, Place, Program } from "./program.ts"

export const claudeCode = claude({
  name: "claude-code",
  version: "2.1.197",
  npm: "@anthropic-ai/claude-code",
  at: "2.1.197",
})

export const claudeSdk = claude({
  name: "claude-code-sdk",
  version: "2.1.325",
  npm: "@anthropic-ai/claude-agent-sdk",
  at: "0.3.325",
})

/** What it sends when it resumes where a round has no end. */
const FILLERS: ReadonlySet<string> = new Set(["Continue from where you left off.", "No response requested."])

/**
 * The session contains what a background task reported. What is sent is wrapped in the program's own words about that.
 */
const NOTIFICATION =
  /^<system-reminder>\n\[SYSTEM NOTIFICATION[\s\S]*?\n(<task-notification>[\s\S]*)\n<\/system-reminder>\s*$/

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
  return {
    name,
    agent: "claude-code",
    version,
    npm,
    packages: { [from]: at },
    protocol: anthropic,
    setUp: () => {},
    ask: (place, prompt, resume) => command(place, ["-p", prompt, ...resume]),
    compacts: { by: (place, resume) => command(place, ["-p", "/compact", ...resume]) },
    write: (path, text) => ({ name: "Write", input: { file_path: path, content: text } }),
    edit: (path, from, to) => ({ name: "Edit", input: { file_path: path, old_string: from, new_string: to } }),
    shell: (text) => ({ name: "Bash", input: { command: text, description: "Run a command" } }),
    task: (prompt) => ({ name: "Agent", input: { description: "Work", prompt, subagent_type: "general-purpose" } }),
    typed: typed(command),
    hooks: "claude-code",
    mcp: { agent: "claude", tool: (tool) => ({ name: `mcp__retcon__${tool}` }) },
    injected: (text) => /^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/.test(text) || FILLERS.has(text),
    unframed: (text) => NOTIFICATION.exec(text)?.[1] ?? text,
    leavesOut:
      "texts that consist of one `<system-reminder>`, except one around a `<task-notification>`, whose own text counts; and what it adds to an unfinished round, `Continue from where you left off.` and `No response requested.`",
  }
}

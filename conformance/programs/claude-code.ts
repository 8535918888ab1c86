// Claude Code, from its own package and from the one of the agent SDK.
import { join } from "node:path"
import { anthropic } from "../model/anthropic.ts"
import type { Command, Place, Program } from "./program.ts"

const PLATFORM = `${process.platform}-${process.arch}`

export const claudeCode: Program = {
  name: "claude-code",
  agent: "claude-code",
  version: "2.1.197",
  packages: { [`@anthropic-ai/claude-code-${PLATFORM}`]: "2.1.197" },
  protocol: anthropic,
  setUp() {},
  ask: (place, prompt, session) =>
    claude(place, `claude-code-${PLATFORM}`, [
      "-p",
      prompt,
      ...(session === undefined ? [] : ["--resume", session.name]),
    ]),
  compact: (place, session) => claude(place, `claude-code-${PLATFORM}`, ["-p", "/compact", "--resume", session.name]),
  write: (path, text) => ({ name: "Write", input: { file_path: path, content: text } }),
  shell: (command) => ({ name: "Bash", input: { command, description: "Run a command" } }),
  injected: (text) => /^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/.test(text),
  leavesOut: "texts that are one `<system-reminder>`",
}

export const claudeSdk: Program = {
  ...claudeCode,
  name: "claude-code-sdk",
  version: "2.1.325",
  packages: { [`@anthropic-ai/claude-agent-sdk-${PLATFORM}`]: "0.3.325" },
  ask: (place, prompt, session) =>
    claude(place, `claude-agent-sdk-${PLATFORM}`, [
      "-p",
      prompt,
      ...(session === undefined ? [] : ["--resume", session.name]),
    ]),
  compact: (place, session) =>
    claude(place, `claude-agent-sdk-${PLATFORM}`, ["-p", "/compact", "--resume", session.name]),
}

function claude({ installed, url }: Place, name: string, args: string[]): Command {
  return {
    argv: [join(installed, "node_modules/@anthropic-ai", name, "claude"), "--dangerously-skip-permissions", ...args],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none",
      /** Root may skip permissions only in a sandbox, which the network namespace is. */
      IS_SANDBOX: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
  }
}

// The agents whose hooks retcon can install, by the names that people use.
import { claudeHooks } from "./claude-code.ts"
import { codexHooks } from "./codex.ts"
import { geminiHooks } from "./gemini-cli.ts"
import { opencodeHooks } from "./opencode.ts"
import type { AgentHooks } from "./port.ts"

export const HOOKS: readonly AgentHooks[] = [claudeHooks, codexHooks, geminiHooks, opencodeHooks]

const ALSO: Readonly<Record<string, string>> = { claude: "claude-code", gemini: "gemini-cli" }

export function hooksOf(name: string): AgentHooks | undefined {
  return HOOKS.find(({ agent }) => agent === (ALSO[name] ?? name))
}

/** Why an agent's hooks cannot be installed, and what works instead. */
export function withoutHooks(name: string): { problem: string; advice: string } | undefined {
  return WITHOUT_HOOKS[ALSO[name] ?? name]
}

const WITHOUT_HOOKS: Readonly<Record<string, { problem: string; advice: string }>> = {
  cursor: {
    problem:
      "Cursor's transcripts have neither times nor ids, so a snapshot could not be matched to what was said and done.",
    advice: "Use Cursor's own checkpoints, or work in an agent that retcon has hooks for.",
  },
}

// The agents whose hooks can be installed, by the names that people use.
import { claudeHooks } from "./claude-code.ts"
import { codexHooks } from "./codex.ts"
import { opencodeHooks } from "./opencode.ts"
import type { AgentHooks } from "./port.ts"

export const HOOKS: readonly AgentHooks[] = [claudeHooks, codexHooks, opencodeHooks]

const ALSO: Readonly<Record<string, string>> = { claude: "claude-code", gemini: "gemini-cli" }

export function hooksOf(name: string): AgentHooks | undefined {
  return HOOKS.find(({ agent }) => agent === (ALSO[name] ?? name))
}

/** Why not, and what works instead. */
export function withoutHooks(name: string): { problem: string; advice: string } | undefined {
  return WITHOUT_HOOKS[ALSO[name] ?? name]
}

const WITHOUT_HOOKS: Readonly<Record<string, { problem: string; advice: string }>> = {
  "gemini-cli": {
    problem:
      "Gemini CLI tells its hooks no ids of prompts and calls, so nobody could say later which of them a snapshot belongs to.",
    advice: "Turn on its own checkpoints: general.checkpointing in its settings.json, then /restore.",
  },
  cursor: {
    problem: "retcon cannot read sessions of Cursor, so snapshots would belong to nothing.",
    advice: "Cursor has checkpoints of its own. Or work in a terminal agent: see retcon hooks status.",
  },
}

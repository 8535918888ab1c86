// The agents whose hooks can be installed, by the names that people use.
import { claudeHooks } from "./claude-code.ts"
import type { AgentHooks } from "./port.ts"

export const HOOKS: readonly AgentHooks[] = [claudeHooks]

const ALSO: Readonly<Record<string, string>> = { claude: "claude-code", gemini: "gemini-cli" }

export function hooksOf(name: string): AgentHooks | undefined {
  return HOOKS.find(({ agent }) => agent === (ALSO[name] ?? name))
}

/** Why not, and what works instead. */
export const WITHOUT_HOOKS: Readonly<Record<string, { problem: string; advice: string }>> = {
  cursor: {
    problem: "retcon cannot read sessions of Cursor, so snapshots would belong to nothing.",
    advice: "Cursor has checkpoints of its own. Or work in a terminal agent: see retcon hooks status.",
  },
}

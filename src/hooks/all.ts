// The agents whose hooks can be installed.
import { claudeHooks } from "./claude-code.ts"
import type { AgentHooks } from "./port.ts"

export const HOOKS: readonly AgentHooks[] = [claudeHooks]

export function hooksOf(agent: string): AgentHooks | undefined {
  return HOOKS.find((each) => each.agent === agent)
}

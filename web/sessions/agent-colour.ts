// The colour of each agent's dot, as a variable of the style sheet: no two are the same.

export const AGENT_COLOURS: Readonly<Record<string, string>> = {
  retcon: "--accent",
  "claude-code": "--lane-2",
  codex: "--lane-1",
  "copilot-cli": "--agent-4",
  droid: "--agent-5",
  cline: "--agent-6",
  "kilo-code": "--agent-7",
  "roo-code": "--agent-8",
  crush: "--agent-9",
  goose: "--agent-10",
  cursor: "--agent-11",
  aider: "--agent-12",
  "gemini-cli": "--lane-4",
  "kimi-cli": "--agent-0",
  "kimi-code": "--lane-5",
  "klaude-code": "--agent-1",
  neovate: "--agent-2",
  opencode: "--quiet",
  pi: "--lane-3",
  "qwen-code": "--agent-3",
}

/** Hollow for an agent that this page does not know. */
export function agentColour(agent: string): string {
  const name = AGENT_COLOURS[agent]
  return name === undefined ? "transparent" : `var(${name})`
}

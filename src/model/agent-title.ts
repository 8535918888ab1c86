// What people call each agent.

const TITLES: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  cursor: "Cursor",
  codex: "Codex",
  "copilot-cli": "GitHub Copilot CLI",
  droid: "Factory Droid",
  cline: "Cline",
  "kilo-code": "Kilo Code",
  "roo-code": "Roo Code",
  crush: "Crush",
  goose: "Goose",
  aider: "Aider",
  "gemini-cli": "Gemini CLI",
  "kimi-cli": "Kimi CLI",
  "kimi-code": "Kimi Code",
  "klaude-code": "Klaude Code",
  neovate: "Neovate Code",
  opencode: "opencode",
  pi: "pi",
  "qwen-code": "Qwen Code",
}

/** An unknown agent keeps its own name. */
export function agentTitle(agent: string): string {
  return (Object.hasOwn(TITLES, agent) ? TITLES[agent] : undefined) ?? agent
}

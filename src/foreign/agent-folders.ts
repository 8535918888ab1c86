// The folders in which an agent keeps its own files. What retcon writes for an agent goes nowhere else.
import { isAbsolute, join, relative, sep } from "node:path"
import type { AgentHomes, AgentName } from "../formats/port.ts"

/** Its folder in a person's home, and the variables that name another one. */
const OWN: Readonly<Partial<Record<AgentName, { folder: string; variables: readonly string[] }>>> = {
  "claude-code": { folder: ".claude", variables: ["CLAUDE_CONFIG_DIR"] },
  codex: { folder: ".codex", variables: ["CODEX_HOME"] },
  "gemini-cli": { folder: ".gemini", variables: ["GEMINI_CLI_HOME"] },
  "kimi-code": { folder: ".kimi-code", variables: ["KIMI_CODE_HOME"] },
  neovate: { folder: ".neovate", variables: [] },
  pi: { folder: ".pi", variables: ["PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR"] },
}

export function agentFolders(agent: AgentName, { home, env }: AgentHomes): string[] {
  const own = OWN[agent]
  if (own === undefined) return []
  const named = own.variables.flatMap((name) => {
    const value = env[name] ?? ""
    const path = value === "~" || value.startsWith("~/") ? join(home, value.slice(1)) : value
    return isAbsolute(path) ? [path] : []
  })
  return [join(home, own.folder), ...named]
}

/** Whether a path is in one of the folders, by its words alone. */
export function isBelow(path: string, folders: readonly string[]): boolean {
  if (!isAbsolute(path) || path.includes("\0") || path.split(sep).includes("..")) return false
  return folders.some((folder) => {
    const inside = relative(folder, path)
    return inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
  })
}

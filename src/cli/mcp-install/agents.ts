// The agents whose settings we know, and where each keeps its MCP servers.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { codexHome } from "../../formats/codex/rollouts.ts"
import { geminiFolder } from "../../formats/gemini-cli/place.ts"
import type { AgentHomes } from "../../formats/port.ts"
import { jsonServers } from "./json-servers.ts"
import type { ServerProgram, ServerSettings } from "./port.ts"
import { tomlServers } from "./toml-servers.ts"

const apart = ({ command, args, env }: ServerProgram) => ({
  command,
  args,
  ...(Object.keys(env).length > 0 && { env }),
})

export const SERVER_SETTINGS: readonly ServerSettings[] = [
  {
    name: "claude",
    agent: "claude-code",
    title: "Claude Code",
    file: ({ home, env }, cwd) =>
      cwd === undefined ? join(env.CLAUDE_CONFIG_DIR || home, ".claude.json") : join(cwd, ".mcp.json"),
    ...jsonServers({ key: "mcpServers", comments: false, entry: (program) => ({ type: "stdio", ...apart(program) }) }),
    note: "Sessions that are already running get it after a restart. See it there with /mcp.",
  },
  {
    name: "codex",
    agent: "codex",
    title: "Codex",
    file: (homes, cwd) => join(cwd === undefined ? codexHome(homes) : join(cwd, ".codex"), "config.toml"),
    ...tomlServers,
    note: "Sessions that are already running get it after a restart. See it there with /mcp.",
  },
  {
    name: "cursor",
    agent: "cursor",
    title: "Cursor",
    file: ({ home }, cwd) => join(cwd ?? home, ".cursor", "mcp.json"),
    ...jsonServers({ key: "mcpServers", comments: true, entry: apart }),
    note: "Turn it on in Cursor's MCP settings. retcon cannot read Cursor's sessions, so only search, read and note work there.",
  },
  {
    name: "gemini",
    agent: "gemini-cli",
    title: "Gemini CLI",
    file: (homes, cwd) => join(cwd === undefined ? geminiFolder(homes) : join(cwd, ".gemini"), "settings.json"),
    ...jsonServers({ key: "mcpServers", comments: true, entry: apart }),
    note: "Sessions that are already running get it after a restart. See it there with /mcp.",
  },
  {
    name: "opencode",
    agent: "opencode",
    title: "opencode",
    file: opencodeFile,
    ...jsonServers({
      key: "mcp",
      comments: true,
      entry: ({ command, args, env }) => ({
        type: "local",
        command: [command, ...args],
        ...(Object.keys(env).length > 0 && { environment: env }),
        enabled: true,
      }),
    }),
    note: "Sessions that are already running get it after a restart.",
  },
]

/** Whichever exists; opencode reads both names. */
function opencodeFile({ home, env }: AgentHomes, cwd?: string): string {
  const folder = cwd ?? join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode")
  const commented = join(folder, "opencode.jsonc")
  return existsSync(commented) ? commented : join(folder, "opencode.json")
}

/** A prefix is enough, and so is retcon's own name for the agent. */
export function settingsOf(typed: string): ServerSettings | undefined {
  const name = typed.toLowerCase()
  return SERVER_SETTINGS.find((each) => name !== "" && (each.name.startsWith(name) || each.agent === name))
}

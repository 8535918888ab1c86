// How another agent starts our server.
import { fileURLToPath } from "node:url"
import { homeFolder } from "../../app/config/home.ts"
import type { ServerProgram, ServerSettings } from "../../app/mcp-servers/port.ts"
import type { Cli } from "../port/cli.ts"

/** When run from source, this is the last one that was built. */
const PROGRAM = new URL(import.meta.url.endsWith(".ts") ? "../../../dist/cli.cjs" : "./cli.cjs", import.meta.url)

/**
 * For a person, with the full paths of this machine: an agent may not have our PATH. For a project, whose settings
 * others share, by name. Some agents pass on few variables, so the command says where things are.
 */
export function serverProgram(cli: Cli, { agent }: ServerSettings, scope: "user" | "project"): ServerProgram {
  const words = ["mcp", "--agent", agent]
  if (scope === "project") return { command: "retcon", args: words, env: {} }
  const { command, args, env } = ownProgram(cli, words)
  const { CODEX_HOME } = cli.store.foreign.homes.env
  return { command, args, env: { ...env, ...(agent === "codex" && CODEX_HOME ? { CODEX_HOME } : {}) } }
}

/** retcon itself, with the full paths of this machine. */
export function ownProgram(cli: Cli, words: readonly string[]): ServerProgram {
  const usual = homeFolder({}, process.platform, cli.store.foreign.homes.home)
  return {
    command: process.execPath,
    args: [fileURLToPath(PROGRAM), ...words],
    env: usual === cli.home ? {} : { RETCON_HOME: cli.home },
  }
}

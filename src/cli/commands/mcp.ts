// retcon mcp: time travel as tools for another agent, which starts this as an MCP server in its folder. With an action,
// it changes that agent's settings.
import { AGENTS } from "../../app/library/agents.ts"
import { SERVER_SETTINGS } from "../../app/mcp-servers/agents.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { type InstallFlags, installServer, showServers } from "../mcp/install-server.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"

interface McpFlags extends InstallFlags {
  action?: "install" | "uninstall" | "status"
  name?: string
  agent?: string
}

export async function run(cli: Cli, { action, name, agent, ...flags }: McpFlags): Promise<number | undefined> {
  if (action === "status") return showServers(cli, name, flags.json === true)
  if (action !== undefined) return installServer(cli, action, name, flags)
  const known = [...new Set(["retcon", ...AGENTS, ...SERVER_SETTINGS.map((each) => each.agent)])]
  if (agent !== undefined && !known.includes(agent))
    throw new UsageError(`No agent is called "${sanitiseLine(agent)}".`, `Use one of: ${known.join(", ")}.`)
  if (cli.in.isTerminal)
    throw new UsageError("An agent starts this command, not a person.", "Set one up with: retcon mcp install AGENT")
  const { serve } = await import("../mcp/serve.ts")
  const sessionOptions = { ...cli.sessionOptions, via: "mcp" as const }
  await serve({ cli: { ...cli, sessionOptions }, agent, started: cli.now(), parent: process.ppid })
  return undefined
}

// retcon mcp: time travel as tools for another agent, which starts this as an MCP server in its folder.
import { AGENTS } from "../../formats/port.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"

interface McpFlags {
  agent?: string
}

export async function run(cli: Cli, { agent }: McpFlags): Promise<void> {
  const known = ["retcon", ...AGENTS]
  if (agent !== undefined && !known.includes(agent))
    throw new UsageError(`No agent is called "${sanitiseLine(agent)}".`, `Use one of: ${known.join(", ")}.`)
  const { serve } = await import("../mcp/serve.ts")
  await serve({ cli, agent, started: cli.now(), parent: process.ppid })
}

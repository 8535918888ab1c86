// How a session continues in the program that made it.
import { agentTitle } from "../../model/agent-title.ts"
import { shellCommand } from "../../model/text/shell-word.ts"
import type { SessionListing } from "../../protocol/shapes.ts"

/** For somebody who is in a shell, or will be. */
export function elsewhereWords({ agent, resume, cwd: needed }: SessionListing, current: string): string {
  if (resume === undefined) return `Continue it in ${agentTitle(agent)}.`
  return `Resume it in ${agentTitle(agent)} with: ${shellCommand(resume, { needed, current })}`
}

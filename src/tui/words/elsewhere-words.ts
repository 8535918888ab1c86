// How to continue a session in the program that made it.
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { goneWords } from "../../model/text/gone-words.ts"
import { shellCommand } from "../../model/text/sanitise.ts"
import type { SessionListing } from "../../protocol/shapes.ts"
import { terminalAdvice } from "./advice-words.ts"

/** For someone who is in a shell, or will be. */
export function elsewhereWords(
  { id, agent, resume, gone, goneAs, cwd: needed }: SessionListing,
  current: string,
): string {
  if (gone !== undefined) {
    const now = `It is ${goneWords(agent, gone, goneAs)}`
    if (goneAs === "unreadable") return `${now}. Make its file readable to resume it there.`
    return terminalAdvice([`${now}. Bring it back with: `, { do: "restore-kept", id: shortId(id) }])
  }
  if (resume === undefined) return `Continue it in ${agentTitle(agent)}.`
  return `Resume it in ${agentTitle(agent)} with: ${shellCommand(resume, { needed, current })}`
}

// Another agent's session on the screen: to view and move in; it continues in its own program, or here in a copy.
import { agentTitle } from "../../model/agent-title.ts"
import type { SessionContents } from "../../protocol/host.ts"

/** What a person can do with it, and a hint. */
export function lookingWords({ agent = "", resume }: SessionContents): [string, string] {
  const title = agentTitle(agent)
  const there = resume === undefined ? "" : `Enter continues it in ${title}. `
  return [`This is a session of ${title}.`, `${there}A prompt continues it here, in a copy.`]
}

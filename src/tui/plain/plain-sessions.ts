// Sessions as lines.
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { ago } from "../../model/text/amounts.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import { isOffered } from "../../protocol/can-continue.ts"
import type { HostSession } from "../../protocol/host.ts"
import { promptWords } from "../../protocol/open-to-work.ts"
import type { SessionListing } from "../../protocol/shapes.ts"
import type { CommandServices } from "../commands/command.ts"
import { continueWords } from "../words/advice-words.ts"
import { elsewhereWords } from "../words/elsewhere-words.ts"

const MOST_SESSIONS = 20

/** For another agent's session: whose it is, and how it continues there. */
export function sessionLines(sessions: readonly SessionListing[], cwd: string, now: number): string[] {
  return sessions.slice(0, MOST_SESSIONS).flatMap((session) => {
    const [title, when] = [clip(sanitiseLine(session.title), 60), ago(session.updated, now)]
    if (session.agent === "retcon") return [`${shortId(session.id)}: ${title}, ${when}`]
    return [
      `${shortId(session.id)} (${agentTitle(session.agent)}): ${title}, ${when}`,
      `  ${elsewhereWords(session, cwd)}`,
    ]
  })
}

/** What a person can do with another agent's session. */
export function lookingLines(session: HostSession, cwd: string): string[] {
  if (session.agent === undefined) return []
  const there = session.resume === undefined ? [] : [continueWords(session, "plain", cwd)]
  return [`This is a session of ${agentTitle(session.agent)}. ${promptWords(session)}.`, ...there]
}

/** The sessions here, and how to continue one. */
export async function resumeLines({ host, cwd, now }: CommandServices & { now: () => number }): Promise<string[]> {
  const listed = (await host.list({ cwd, agents: "all" })).sessions.filter(isOffered)
  if (listed.length === 0) return ["There is no session here yet."]
  const copies = listed.some(({ agent }) => agent !== "retcon") ? " Another agent's continues in a copy." : ""
  return [...sessionLines(listed, cwd, now()), `Continue one with: /resume ID.${copies}`]
}

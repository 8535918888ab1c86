// Sessions as lines, and the one that a person names.
import { agentTitle } from "../../model/agent-title.ts"
import { parseSessionId, type SessionId, shortId } from "../../model/id.ts"
import { ago } from "../../model/text/age.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip } from "../../model/text/width.ts"
import { isOffered } from "../../protocol/can-continue.ts"
import type { HostSession, SessionContents } from "../../protocol/host.ts"
import type { SessionListing } from "../../protocol/shapes.ts"
import { continueWords } from "../words/advice-words.ts"
import { elsewhereWords } from "../words/elsewhere-words.ts"
import type { PlainContext } from "./plain-context.ts"

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
export function lookingLines(session: SessionContents, cwd: string): string[] {
  if (session.agent === undefined) return []
  const there = session.resume === undefined ? [] : [continueWords(session, "plain", cwd)]
  return [`This is a session of ${agentTitle(session.agent)}. A prompt continues it here, in a copy.`, ...there]
}

/** With an id: that session. Without one: a list. */
export async function resumed({ host, cwd, argument, now, say }: PlainContext): Promise<HostSession | undefined> {
  const listed = (await host.list({ cwd, agents: "all" })).sessions.filter(isOffered)
  const id = parseSessionId(argument) ?? onlyEnding(listed, argument)
  if (id !== undefined) {
    const session = await host.open(id)
    for (const line of lookingLines(session, cwd)) say(line)
    return session
  }
  if (argument !== "") say(`No session here ends with "${argument}", or several do.`)
  for (const line of sessionLines(listed, cwd, now())) say(line)
  const copies = listed.some(({ agent }) => agent !== "retcon") ? " Another agent's continues in a copy." : ""
  say(listed.length === 0 ? "There is no session here yet." : `Continue one with: /resume ID.${copies}`)
  return undefined
}

function onlyEnding(listed: readonly SessionListing[], end: string): SessionId | undefined {
  const found = end.length < 4 ? [] : listed.filter(({ id }) => id.endsWith(end.toLowerCase()))
  return found.length === 1 ? found[0]?.id : undefined
}

// Opens a session that a person can continue here. Another agent's session is continued by that agent's own program if that is
// here, else in a copy.
import { agentTitle } from "../model/agent-title.ts"
import type { SessionId } from "../model/id.ts"
import type { Host, HostSession, SessionContents, SessionMoves } from "./host.ts"

export interface OpenedToWork {
  session: HostSession
  /** What to tell the person if it is a copy. */
  copied?: string
}

/** `cwd`: where a copy works if the original's folder is unknown. */
export async function openToWork(host: Host, id: SessionId, cwd: string): Promise<OpenedToWork> {
  const session = await host.open(id)
  return continuesHere(session) ? { session } : closing(session, () => copyOf(host, session, cwd))
}

/** Whether a prompt can be sent to the session itself. */
export function continuesHere({ agent, access }: Pick<SessionContents, "agent" | "access">): boolean {
  return agent === undefined || access.can === "all"
}

/** What a prompt does in another agent's session. */
export function promptWords(session: Pick<SessionContents, "agent" | "access">): string {
  return continuesHere(session)
    ? `A prompt goes to ${agentTitle(session.agent ?? "")}, here in the same session`
    : "A prompt continues it here, in a copy"
}

/** Always opens a copy, for example of a session that another process works in. */
export async function openCopy(host: Host, id: SessionId, cwd: string): Promise<OpenedToWork> {
  const session = await host.open(id)
  return closing(session, () => copyOf(host, session, cwd))
}

/** Contract: the original stays open. */
export async function copyOf(host: Host, original: SessionContents & SessionMoves, cwd: string): Promise<OpenedToWork> {
  const { agent } = original
  const copy = await original.split(undefined, cwd)
  const whose = agent === undefined ? "the original session" : `the session of ${agentTitle(agent)}`
  return { session: await host.open(copy.session), copied: `This is a copy; ${whose} stays as it is.` }
}

async function closing<Value>(session: HostSession, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } finally {
    await session.close()
  }
}

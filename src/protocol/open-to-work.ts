// Opens a session that a person can continue here. Another agent's session is continued by that agent's own program if that is
// here, else in a copy.
import { agentTitle } from "../model/agent-title.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { SessionId } from "../model/id.ts"
import type { Host, HostSession, SessionAccess, SessionContents, SessionMoves, WorkSession } from "./host.ts"

export interface OpenedToWork {
  session: WorkSession
  /** What to tell the person if it is a copy. */
  copied?: string
}

/** Contract: throws RetconError `read-only` if nobody can add to this session here. */
export function workIn<At extends WorkSession>(session: { access: SessionAccess; work: At | undefined }): At {
  const { work, access } = session
  if (work !== undefined) return work
  throw access.can === "all"
    ? new Error("A session that can be continued has no agent.")
    : new RetconError(access.failure)
}

/** `cwd`: where a copy works if the original's folder is unknown. Throws as `workIn` for one of ours. */
export async function openToWork(host: Host, id: SessionId, cwd: string): Promise<OpenedToWork> {
  const session = await host.open(id)
  if (session.work !== undefined) return { session: session.work }
  return closing(session, async () =>
    session.agent === undefined ? { session: workIn(session) } : copyOf(host, session, cwd),
  )
}

/** What a prompt does in another agent's session. */
export function promptWords({ agent, work }: HostSession): string {
  return work === undefined
    ? "A prompt continues it here, in a copy"
    : `A prompt goes to ${agentTitle(agent ?? "")}, here in the same session`
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
  return { session: workIn(await host.open(copy.session)), copied: `This is a copy; ${whose} stays as it is.` }
}

async function closing<Value>(session: HostSession, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } finally {
    await session.close()
  }
}

// A session that a person can go on with. Another agent's is never changed: they go on in a copy, which stays only if something
// was said or done in it.
import { agentTitle } from "../model/agent-title.ts"
import type { SessionId } from "../model/id.ts"
import type { Host, HostSession } from "./host.ts"

export interface OpenedToWork {
  session: HostSession
  /** What to tell the person when it is a copy. */
  copied?: string
}

/** `cwd`: where a copy works when the folder of the original is not known. */
export async function openToWork(host: Host, id: SessionId, cwd: string): Promise<OpenedToWork> {
  const session = await host.open(id)
  return session.agent === undefined ? { session } : copyOf(host, session, cwd)
}

/** A copy in any case, such as of one that another process works in. */
export async function openCopy(host: Host, id: SessionId, cwd: string): Promise<OpenedToWork> {
  return copyOf(host, await host.open(id), cwd)
}

async function copyOf(host: Host, original: HostSession, cwd: string): Promise<OpenedToWork> {
  const { agent } = original
  const copy = await closing(original, () => original.split(undefined, cwd))
  const whose = agent === undefined ? "the original session" : `the session of ${agentTitle(agent)}`
  const session = untilUsed(host, await host.open(copy.session))
  return { session, copied: `This is a copy; ${whose} stays as it is.` }
}

/** Nobody wants a copy for each look at a session. */
function untilUsed(host: Host, copy: HostSession): HostSession {
  const before = copy.history.size
  const isUnused = () => copy.history.size === before
  const close: HostSession["close"] = async (typed) => {
    const unsent = await copy.close(typed)
    if (isUnused()) await host.discard(copy.id)
    return unsent
  }
  // Not a spread: where the head is changes.
  return Object.create(copy, {
    close: { enumerable: true, value: close },
    unused: { enumerable: true, get: isUnused },
  }) as HostSession
}

async function closing<Value>(session: HostSession, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } finally {
    await session.close()
  }
}

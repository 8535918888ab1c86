// The copies of files that a session's agent made: for the command line and for the terminal alike.
import type { AgentCopies } from "../../foreign/log/agent-copies.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import type { SessionLog } from "../../store/port.ts"

/** Undefined for our own sessions, and for an agent that makes none. */
export async function loadAgentCopies(log: SessionLog): Promise<AgentCopies | undefined> {
  if (log.agent === undefined) return undefined
  const { agentCopies } = await import("../../foreign/log/agent-copies.ts")
  const { ForeignLog } = await import("../../foreign/log/foreign-log.ts")
  return log instanceof ForeignLog ? agentCopies(log, directoryOf(log)) : undefined
}

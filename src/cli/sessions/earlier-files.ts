// What the agent of a session kept of its files: for the command line and for the terminal alike.

import type { AgentCopies } from "../../foreign/log/agent-copies.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import type { SessionLog } from "../../store/port.ts"

/** Undefined for a session of ours, and for an agent that keeps nothing. */
export async function earlierFiles(log: SessionLog): Promise<AgentCopies | undefined> {
  if (log.agent === undefined) return undefined
  const { agentCopies } = await import("../../foreign/log/agent-copies.ts")
  const { ForeignLog } = await import("../../foreign/log/foreign-log.ts")
  return log instanceof ForeignLog ? agentCopies(log, directoryOf(log)) : undefined
}

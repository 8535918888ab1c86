// Why a session has no files to look at or restore: nobody took snapshots. And what takes them from now on.
import { agentTitle } from "../../../model/agent-title.ts"
import type { AdviceStep } from "../../../model/failure/failure.ts"
import type { SessionLog } from "../../../store/port.ts"
import type { Unavailable } from "../../../workspace/port.ts"

type OfAgent = Pick<SessionLog, "agent" | "hooked">

export function noSnapshots(log: OfAgent): Unavailable {
  if (log.agent === undefined) return { reason: "no snapshots are taken here" }
  return { reason: `there are no snapshots of what ${agentTitle(log.agent)} did`, advice: nextCovered(log) }
}

/** What covers the rounds to come, or why nothing does. */
export function nextCovered({ agent = "", hooked }: OfAgent): readonly (string | AdviceStep)[] {
  if (hooked !== true) return [`${agentTitle(agent)} has no hooks that could take snapshots.`]
  return [`Take snapshots from ${agentTitle(agent)}'s next prompt on with: `, { do: "install-hooks", agent }]
}

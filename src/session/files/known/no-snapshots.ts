// Why a session has no files to look at or restore: nobody took snapshots.
import { agentTitle } from "../../../model/agent-title.ts"
import type { SessionLog } from "../../../store/port.ts"
import type { Unavailable } from "../../../workspace/port.ts"

export function noSnapshots({ agent, hooked }: Pick<SessionLog, "agent" | "hooked">): Unavailable {
  if (agent === undefined) return { reason: "no snapshots are taken here" }
  const reason = `there are no snapshots of what ${agentTitle(agent)} did`
  if (hooked !== true) return { reason, advice: `${agentTitle(agent)} has no hooks that could take any.` }
  return { reason, advice: ["Take them from its next prompt on with: ", { do: "install-hooks", agent }] }
}

// The header that another agent's session would have if it were ours.
import type { SessionId } from "../../model/id.ts"
import type { SessionRecord } from "../../model/record/record.ts"
import { FORMAT } from "../../model/record/version.ts"
import type { AgentName } from "../port.ts"

export interface HeaderFacts {
  id: SessionId
  at: string
  /** Undefined if the agent does not record it. */
  cwd: string | undefined
  version?: string | undefined
  from?: SessionRecord["from"]
}

export function sessionHeader(agent: AgentName, { id, at, cwd, version, from }: HeaderFacts): SessionRecord {
  const made = { name: agent, version: version ?? "" }
  return { id, type: "session", at, ...FORMAT, cwd: cwd ?? "", made, ...(from !== undefined && { from }) }
}

/** The session works on a task of this one. */
export function taskOf(session: SessionId): SessionRecord["from"] {
  return { session, entry: null, as: "task" }
}

/** The session was split off from this one. */
export function splitFrom(session: SessionId): SessionRecord["from"] {
  return { session, entry: null, as: "split" }
}

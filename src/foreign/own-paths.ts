// Where retcon keeps what belongs to a session of another agent: its log of ours, and its index.
import { createHash } from "node:crypto"
import { join } from "node:path"
import type { AgentName } from "../formats/port.ts"

/** It has a folder per agent. */
export function ourLogsFolder(home: string): string {
  return join(home, "foreign")
}

export function ourLogFile(home: string, agent: AgentName, id: string): string {
  return join(ourLogsFolder(home), agent, `${id}.jsonl`)
}

export function foreignIndexFile(home: string, agent: AgentName, id: string, path: string): string {
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 12)
  return join(home, "cache", agent, `${id}-${hash}.index`)
}

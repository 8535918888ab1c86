// Where retcon keeps its own files for another agent's session: our log, and the index.
import { createHash } from "node:crypto"
import { join } from "node:path"
import type { AgentName } from "../../formats/port.ts"

/** Contains a folder per agent. */
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

// The requests in a log: every answer and summary with a usage, including abandoned branches.
import type { RecordId } from "../../model/id.ts"
import { ROLES } from "../../model/record/origin.ts"
import { KIND, type Usage } from "../../model/record/record.ts"
import { parseRecord } from "../../model/record/record-parse.ts"
import { grep } from "../../store/file/folder/grep-lines.ts"
import type { SessionLog } from "../../store/port.ts"

export interface LoggedRequest {
  /** A copy of a session has the same records: sums over sessions count an id once. */
  id: RecordId
  model: string
  usage: Usage
}

/** Those of another agent's session. Contract: reads every answer. */
export function foreignRequests({ history }: Pick<SessionLog, "history">): LoggedRequest[] {
  const requests: LoggedRequest[] = []
  for (let row = 0; row < history.size; row++) {
    const kind = history.kind(row)
    const answered = kind === KIND.message && ROLES[history.role(row)] === "assistant"
    const record = answered || kind === KIND.compaction ? history.record(row) : undefined
    if (record?.type !== "message" && record?.type !== "compaction") continue
    const { id, model = "(unknown)", usage } = record
    if (usage !== undefined) requests.push({ id, model, usage })
  }
  return requests
}

/** Contract: costs a scan of the bytes, and parsing the answers. `tick` gets the number of bytes read so far. */
export async function loggedRequests(file: string, tick: (bytes: number) => Promise<void>): Promise<LoggedRequest[]> {
  const requests: LoggedRequest[] = []
  for (const { bytes, lines } of grep(file, /"usage":/g)) {
    for (const line of lines) {
      const parsed = parseRecord(line.bytes.toString("utf8"))
      const record = parsed.ok ? parsed.value : undefined
      if (record?.type !== "message" && record?.type !== "compaction") continue
      const { id, model = "(unknown)", usage } = record
      if (usage !== undefined) requests.push({ id, model, usage })
    }
    await tick(bytes)
  }
  return requests
}

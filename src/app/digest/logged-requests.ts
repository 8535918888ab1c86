// The requests in a log: every answer and summary with a usage, including abandoned branches.
import type { ToldRequest } from "../../formats/port.ts"
import { ROLES } from "../../model/record/origin.ts"
import { KIND, type LogRecord } from "../../model/record/record.ts"
import { parseRecord } from "../../model/record/record-parse.ts"
import { linesWith } from "../../store/file/folder/line-chunks.ts"
import type { SessionLog } from "../../store/port.ts"

/** Those of another agent's session. Contract: reads every answer. */
export function foreignRequests({ history }: Pick<SessionLog, "history">): ToldRequest[] {
  const requests: ToldRequest[] = []
  for (let row = 0; row < history.size; row++) {
    const kind = history.kind(row)
    const answered = kind === KIND.message && ROLES[history.role(row)] === "assistant"
    const record = answered || kind === KIND.compaction ? history.record(row) : undefined
    if (record !== undefined) requests.push(...requestOf(record))
  }
  return requests
}

/** Contract: costs a scan of the bytes, and parsing the answers. `tick` gets the number of bytes read so far. */
export async function loggedRequests(file: string, tick: (bytes: number) => Promise<void>): Promise<ToldRequest[]> {
  const requests: ToldRequest[] = []
  for (const { read, lines } of linesWith(file, /"usage":/g)) {
    for (const line of lines) {
      const parsed = parseRecord(line.toString("utf8"))
      if (parsed.ok) requests.push(...requestOf(parsed.value))
    }
    await tick(read)
  }
  return requests
}

/** A copy of a session has the same records: its requests have the same keys. */
function requestOf(record: LogRecord): ToldRequest[] {
  if (record.type !== "message" && record.type !== "compaction") return []
  const { id, at, model = "(unknown)", usage } = record
  return usage === undefined ? [] : [{ key: id, at: Date.parse(at), model, usage }]
}

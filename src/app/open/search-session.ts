// Finds entries that contain a text, in all branches of a session.
import type { EntryId } from "../../model/id.ts"
import { isEntryKind, type LogRecord } from "../../model/record/record.ts"
import type { SearchHit } from "../../protocol/host.ts"
import { searchable } from "../../session/searchable.ts"
import type { Session } from "../../session/session.ts"
import { textPattern } from "../../store/file/folder/grep-lines.ts"

/** Characters to keep on each side of a match. */
const AROUND = 200
/** Milliseconds of searching before other work gets its turn. */
const AT_ONCE = 5

export interface SessionSearch {
  text: string
  limit: number
  signal?: AbortSignal | undefined
}

/**
 * Newest first. Contract: yields to other work meanwhile, and ends early if the signal aborts; entries appended meanwhile are not
 * searched.
 */
export async function searchSession(session: Session, search: SessionSearch): Promise<SearchHit[]> {
  const { text, limit, signal } = search
  const { history, log } = session
  const hits: SearchHit[] = []
  if (text.trim() === "") return hits
  const pattern = textPattern(text, "any")
  const { generation } = log
  let since = performance.now()
  for (let row = history.size - 1; row >= 0 && hits.length < limit; row--) {
    if (performance.now() - since > AT_ONCE) {
      await new Promise<void>((settle) => setImmediate(settle))
      if (signal?.aborted === true) break
      since = performance.now()
    }
    if (log.generation !== generation) return searchSession(session, search)
    if (!isEntryKind(history.kind(row))) continue
    const record = history.record(row)
    const found = record === undefined ? undefined : matchIn(record, pattern)
    if (found !== undefined) hits.push({ row, entry: history.id(row) as EntryId, ...found })
  }
  return hits
}

function matchIn(record: LogRecord, pattern: RegExp): Omit<SearchHit, "row" | "entry"> | undefined {
  for (const { where, text } of searchable(record)) {
    const found = pattern.exec(text)
    if (found === null) continue
    const end = found.index + found[0].length
    const before = text.slice(Math.max(0, found.index - AROUND), found.index)
    return { where, before, match: found[0], after: text.slice(end, end + AROUND) }
  }
  return undefined
}

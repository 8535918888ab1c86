// Finds entries that have words, in all branches of a session.
import { occurrences } from "../../find/occurrences.ts"
import { parseQuery, type Term } from "../../find/query.ts"
import { fits } from "../../find/rank.ts"
import type { EntryId } from "../../model/id.ts"
import { isEntryKind, type LogRecord } from "../../model/record/record.ts"
import type { SearchHit } from "../../protocol/host.ts"
import { searchable } from "../../session/searchable.ts"
import type { Session } from "../../session/session.ts"

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
  const terms = parseQuery(text).terms.map((term) => ({ ...term, cases: "any" as const }))
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
    const found = record === undefined ? undefined : matchIn(record, terms)
    if (found !== undefined) hits.push({ row, entry: history.id(row) as EntryId, ...found })
  }
  return hits
}

/** The first place, in an entry that has all of the words. */
function matchIn(record: LogRecord, terms: readonly Term[]): Omit<SearchHit, "row" | "entry"> | undefined {
  let first: Omit<SearchHit, "row" | "entry"> | undefined
  let mask = 0
  for (const { where, text } of searchable(record)) {
    const found = occurrences(text, terms, where, true)
    for (const { term } of found) mask |= 1 << term
    const [at] = found
    if (first !== undefined || at === undefined) continue
    const { from, to } = at
    const before = text.slice(Math.max(0, from - AROUND), from)
    first = { where, before, match: text.slice(from, to), after: text.slice(to, to + AROUND) }
  }
  return fits(terms, mask) ? first : undefined
}

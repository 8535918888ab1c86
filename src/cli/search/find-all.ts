// Searches many sessions for a text, and ranks them.
import { bytePattern, textPattern } from "../../store/file/folder/grep-lines.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { findEach } from "./find-each.ts"
import type { Hit, Patterns } from "./find-in-session.ts"

export interface Found {
  session: SessionSummary
  hits: Hit[]
}

/** Case matters only if the text has capitals. */
export function patternsFor(text: string): Patterns {
  const cases = text === text.toLowerCase() ? "any" : "same"
  return { bytes: bytePattern(text, cases), text: textPattern(text, cases) }
}

/** In the order of the list. `tick` gets the share that is done. */
export async function findAll(
  cli: Cli,
  sessions: readonly SessionSummary[],
  patterns: Patterns,
  tick: (share: number) => Promise<void>,
): Promise<Found[]> {
  const all = sessions.reduce((sum, session) => sum + session.bytes, 0)
  const found: Found[] = []
  const seen = new Set<string>()
  const share = (bytes: number) => tick(Math.min(1, bytes / Math.max(1, all)))
  for await (const { session, hits: here } of findEach(cli, sessions, patterns, share)) {
    // A split starts with entries of another session: they are shown once, where they were used last.
    const fresh = here.filter(({ entry, onPath }) => entry === null || !onPath || !seen.has(entry))
    for (const { entry, onPath } of here) if (entry !== null && onPath) seen.add(entry)
    if (fresh.length > 0) found.push({ session, hits: fresh })
  }
  return found
}

/** Beyond the first days, a session that is half as old ranks the same with half the hits. */
const RECENT_MS = 3 * 24 * 60 * 60 * 1000
/** Beyond this, repeating a word does not improve a session's rank. */
const MOST_COUNTED = 20

/** Best first: many hits, and recent. */
export function ranked(found: readonly Found[], now: number): Found[] {
  const score = ({ session, hits }: Found) => {
    const age = Math.max(0, now - Date.parse(session.updated) || 0)
    return Math.min(hits.length, MOST_COUNTED) / (RECENT_MS + age)
  }
  return [...found].sort((a, b) => score(b) - score(a))
}

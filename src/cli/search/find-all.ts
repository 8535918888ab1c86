// Looks for a text in many sessions, the best one first.
import { bytePattern, textPattern } from "../../store/file/folder/grep-lines.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { findEach } from "./find-each.ts"
import type { Hit, Patterns } from "./find-in-session.ts"

export interface Found {
  session: SessionSummary
  hits: Hit[]
}

/** Case matters only for a text that has capitals. */
export function patternsFor(text: string): Patterns {
  const cases = text === text.toLowerCase() ? "any" : "same"
  return { bytes: bytePattern(text, cases), text: textPattern(text, cases) }
}

/** In the order of the list. `tick` is told the share that is done. */
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

/** What is half as old counts as much with half the hits, beyond the first days. */
const RECENT_MS = 3 * 24 * 60 * 60 * 1000
/** A session that repeats a word is no better for it beyond this. */
const MOST_COUNTED = 20

/** The best first: many hits, and lately. */
export function ranked(found: readonly Found[], now: number): Found[] {
  const score = ({ session, hits }: Found) => {
    const age = Math.max(0, now - Date.parse(session.updated) || 0)
    return Math.min(hits.length, MOST_COUNTED) / (RECENT_MS + age)
  }
  return [...found].sort((a, b) => score(b) - score(a))
}

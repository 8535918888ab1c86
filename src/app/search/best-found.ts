// Which of the sessions with hits to show, best first.
import { count } from "../../model/text/amounts.ts"
import type { Found } from "./find-each.ts"

/** The most hits shown of one session, if there are others. */
export const MOST_OF_ONE = 5

export interface BestFound {
  /** Best first. */
  best: Found[]
  /** How many other sessions have hits. */
  others: number
}

/**
 * The sessions that a list of `most` hits can show.
 * Contract: keeps no more than those in memory, however many there are.
 */
export async function bestFound(
  all: AsyncIterable<Found>,
  { most, now }: { most: number; now: number },
): Promise<BestFound> {
  const best: Found[] = []
  let others = 0
  for await (const found of all) {
    const better = best.findLastIndex((each) => score(each, now) >= score(found, now))
    best.splice(better + 1, 0, found)
    let shown = best.reduce((sum, { hits }) => sum + Math.min(hits.length, MOST_OF_ONE), 0)
    while (best.length > 1 && shown - Math.min(best.at(-1)?.hits.length ?? 0, MOST_OF_ONE) >= most) {
      shown -= Math.min(best.pop()?.hits.length ?? 0, MOST_OF_ONE)
      others++
    }
  }
  return { best, others }
}

/** Such as "3 more hits". `uncounted`: there are more than these. */
export function moreHits(hits: number, uncounted: boolean): string {
  return `${uncounted ? "at least " : ""}${count(hits, "more hit", "more hits")}`
}

/** Beyond the first days, a session that is half as old ranks the same with half the hits. */
const RECENT_MS = 3 * 24 * 60 * 60 * 1000
/** Beyond this, repeating a word does not improve a session's rank. */
export const MOST_COUNTED = 20

function score({ session, hits }: Found, now: number): number {
  const age = Math.max(0, now - Date.parse(session.updated) || 0)
  return Math.min(hits.length, MOST_COUNTED) / (RECENT_MS + age)
}

// Searches every session on this machine for a text, best first.
import type { FindAnswer, FindQuery, Job } from "../../protocol/library.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { unreadablePlaces } from "../protection/unreadable.ts"
import { bestFound, MOST_COUNTED } from "../search/best-found.ts"
import { findEach } from "../search/find-each.ts"
import type { SearchedSession } from "../search/find-in-session.ts"
import { wantedSessions } from "./wanted-sessions.ts"

export async function find(
  deps: AppDeps,
  { text, limit, ofOne = limit, ...filter }: FindQuery,
  { tick, signal }: Job = {},
): Promise<FindAnswer> {
  const skipped: FindAnswer["skipped"] = []
  async function ticked(share: number): Promise<void> {
    await tick?.(share)
    signal?.throwIfAborted()
  }
  const skip = ({ file, id }: SearchedSession, problem: string) => void skipped.push({ file: file ?? id, problem })
  const wanted = await wantedSessions(deps.store, filter, { tick: () => ticked(0), skipped: skip })
  const bytes = wanted.reduce((sum, session) => sum + session.bytes, 1)
  const most = Math.max(limit, MOST_COUNTED)
  const tickBytes = (done: number) => ticked(Math.min(1, done / bytes))
  const each = findEach(deps.store, wanted, {
    text,
    cases: "smart",
    most,
    once: true,
    tick: tickBytes,
    skipped: skip,
  })
  const { best, others } = await bestFound(each, { most: limit, now: deps.now() })
  const answer: FindAnswer = { hits: [], sessions: [], others, skipped, unreadable: unreadablePlaces(deps) }
  const several = best.length + others > 1
  for (const { session, hits, more } of best) {
    const { id, agent = "retcon", file, title, updated } = session
    const shown = hits.slice(0, Math.min(limit - answer.hits.length, several ? ofOne : limit))
    for (const hit of shown) answer.hits.push({ session: id, agent, file, title, ...hit })
    answer.sessions.push({ session: id, agent, title, updated, shown: shown.length, hits: hits.length, more })
  }
  return answer
}

// Searches sessions for a text, one after the other, while helpers search ahead.

import type { AnyStore } from "../../foreign/any-store.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Hit } from "../../protocol/library.ts"
import { bytePattern, textPattern } from "../../store/file/folder/grep-lines.ts"
import { grepFiles } from "../../store/file/grep/grep-files.ts"
import { startGrepHelpers } from "../../store/file/grep/grep-helpers.ts"
import type { SessionSummary } from "../../store/port.ts"
import { type FoundLines, isOurs, NO_FILES, type Search, type SearchedSession, searchOf } from "./find-in-session.ts"

export interface Found<Session extends SearchedSession = SessionSummary> {
  session: Session
  /** In log order. */
  hits: Hit[]
  /** Whether there are more than these. */
  more: boolean
}

export interface FindOptions {
  text: string
  /** `smart`: case matters only if the text has capitals. */
  cases: "any" | "same" | "smart"
  /** The most hits of one session: what lies beyond is not even read. */
  most: number
  /** An entry that several sessions share, because one was split from the other, is found in the first of them only. */
  once?: boolean
  /** Called with the bytes searched so far; it may take its time. */
  tick?: (bytes: number) => Promise<void>
  /** Told which session could not be searched, and why. */
  skipped?: (session: SearchedSession, problem: string) => void
}

/** Contract: the sessions with hits, in their order. */
export async function* findEach<Session extends SearchedSession>(
  store: AnyStore,
  sessions: readonly Session[],
  { text, cases, most, once = false, tick = async () => undefined, skipped }: FindOptions,
): AsyncGenerator<Found<Session>> {
  const which = cases !== "smart" ? cases : text === text.toLowerCase() ? "any" : "same"
  const [bytes, pattern] = [bytePattern(text, which), textPattern(text, which)]
  const shared = new Set<string>()
  const helpers = startGrepHelpers(sessions.reduce((sum, session) => sum + session.bytes, 0))
  /** What another agent has moved away meanwhile, or nobody may read, must not hide the hits in others. */
  async function orSkipped<Value>(session: Session, none: Value, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work()
    } catch (error) {
      if (isOurs(session) || !(error instanceof RetconError)) throw error
      skipped?.(session, error.message)
      return none
    }
  }
  try {
    const searches: { session: Session; search: Search }[] = []
    for (const session of sessions) {
      searches.push({ session, search: await orSkipped(session, NO_FILES, () => searchOf(store, session)) })
      await tick(0)
    }
    const files = searches.flatMap(({ search }) => search.files)
    const grepping = grepFiles({ files, pattern: bytes, helpers, tick })
    let first = 0
    for (const { session, search } of searches) {
      const at = first
      first += search.files.length
      const found = await orSkipped(session, undefined, async () => {
        const lines: FoundLines[] = []
        for (const [n, { file }] of search.files.entries()) {
          const here = await grepping.linesOf(at + n)
          if (here.length > 0) lines.push({ file, lines: here })
        }
        return lines.length === 0 ? undefined : firstOf(search.hits(lines, pattern))
      })
      if (found !== undefined && found.hits.length > 0) yield { session, ...found }
    }
  } finally {
    helpers.close()
  }

  async function firstOf(all: AsyncGenerator<Hit>): Promise<Omit<Found, "session">> {
    const hits: Hit[] = []
    let more = false
    for await (const hit of all) {
      if (once && hit.onPath && hit.entry !== null && shared.has(hit.entry)) continue
      more = hits.length === most
      if (more) break
      hits.push(hit)
    }
    for (const { entry, onPath } of once ? hits : []) if (entry !== null && onPath) shared.add(entry)
    return { hits, more }
  }
}

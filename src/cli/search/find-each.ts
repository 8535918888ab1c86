// Searches sessions for a text, one after the other, while helpers search ahead.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { grepFiles } from "../../store/file/grep/grep-files.ts"
import { startGrepHelpers } from "../../store/file/grep/grep-helpers.ts"
import type { Cli } from "../port/cli.ts"
import {
  type FoundLines,
  type Hit,
  isOurs,
  NO_FILES,
  type Patterns,
  type Search,
  type SearchedSession,
  searchOf,
} from "./find-in-session.ts"

/** Called with the bytes searched so far; it may take its time. */
type Tick = (bytes: number) => Promise<void>

/** Contract: hits in log order. */
export async function findIn(cli: Cli, session: SearchedSession, patterns: Patterns, tick: Tick): Promise<Hit[]> {
  for await (const { hits } of findEach(cli, [session], patterns, tick)) return hits
  return []
}

/** Contract: each of the sessions, in their order; its hits in log order. */
export async function* findEach<Session extends SearchedSession>(
  cli: Cli,
  sessions: readonly Session[],
  patterns: Patterns,
  tick: Tick,
): AsyncGenerator<{ session: Session; hits: Hit[] }> {
  const helpers = startGrepHelpers(sessions.reduce((sum, { bytes }) => sum + bytes, 0))
  try {
    const searches: { session: Session; search: Search }[] = []
    for (const session of sessions) {
      searches.push({ session, search: await orSkipped(cli, session, NO_FILES, () => searchOf(cli, session)) })
      await tick(0)
    }
    const files = searches.flatMap(({ search }) => search.files)
    const grepping = grepFiles({ files, pattern: patterns.bytes, helpers, tick })
    let first = 0
    for (const { session, search } of searches) {
      const at = first
      first += search.files.length
      const hits = await orSkipped(cli, session, [], async () => {
        const found: FoundLines[] = []
        for (const [n, { file }] of search.files.entries()) {
          const lines = await grepping.linesOf(at + n)
          if (lines.length > 0) found.push({ file, lines })
        }
        return found.length === 0 ? [] : search.hits(found, patterns.text)
      })
      yield { session, hits }
    }
  } finally {
    helpers.close()
  }
}

/** What another agent has moved away meanwhile, or nobody may read, must not hide the hits in others. */
async function orSkipped<Value>(
  cli: Cli,
  session: SearchedSession,
  none: Value,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (isOurs(session) || !(error instanceof RetconError)) throw error
    cli.err.write(`retcon: ${sanitiseLine(session.file ?? session.id)} could not be searched: ${error.message}\n`)
    return none
  }
}

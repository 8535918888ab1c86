// Which sessions name a file.
import { isAbsolute, relative, resolve, sep } from "node:path"
import { findEach, warnSkipped } from "../../app/search/find-each.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { progress } from "../render/progress.ts"

/** Those that name a file, relative to their folder or in full: the relative path is the end of the full one. */
export async function namingFile(
  cli: Cli,
  sessions: readonly SessionSummary[],
  typed: string,
): Promise<SessionSummary[]> {
  const full = resolve(cli.cwd, typed)
  const way = relative(cli.cwd, full)
  const isInside = way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
  const name = isInside ? way : full
  const shown = progress(cli, "Looking")
  const found: SessionSummary[] = []
  const all = sessions.reduce((sum, session) => sum + session.bytes, 0)
  const tick = (bytes: number) => shown.tick(bytes / Math.max(1, all))
  const skipped = warnSkipped(cli)
  for await (const { session } of findEach(cli.store, sessions, { text: name, cases: "same", most: 1, tick, skipped }))
    found.push(session)
  shown.done()
  return found
}

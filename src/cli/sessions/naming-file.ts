// Which sessions name a file.
import { isAbsolute, relative, resolve, sep } from "node:path"
import { bytePattern, textPattern } from "../../store/file/folder/grep-lines.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { progress } from "../render/progress.ts"
import { findEach } from "../search/find-each.ts"

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
  const patterns = { bytes: bytePattern(name, "same"), text: textPattern(name, "same") }
  const shown = progress(cli, "Looking")
  const found: SessionSummary[] = []
  const all = sessions.reduce((sum, session) => sum + session.bytes, 0)
  for await (const { session, hits } of findEach(cli, sessions, patterns, (bytes) =>
    shown.tick(bytes / Math.max(1, all)),
  )) {
    if (hits.length > 0) found.push(session)
  }
  shown.done()
  return found
}

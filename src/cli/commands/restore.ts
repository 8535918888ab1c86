// retcon restore ENTRY [PATH…]: restores the files as they were at an entry. The conversation stays where it is.
import { workspacePaths } from "../../app/open/workspace-path.ts"
import { snapshotAt } from "../../history/files/snapshot-at.ts"
import { resolveEntry } from "../../history/plan/resolve.ts"
import { momentWords } from "../../history/words/moment-words.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine, shellWord } from "../../model/text/sanitise.ts"
import { filesAsked } from "../../session/files/known/files-request.ts"
import type { Session } from "../../session/session.ts"
import { type MoveFlags, runMove } from "../move/run-move.ts"
import type { Cli } from "../port/cli.ts"

export async function run(cli: Cli, options: MoveFlags & { entry: string; paths?: string[] }): Promise<void> {
  const { entry, paths = [] } = options
  const what = paths.length === 0 ? "the files" : count(paths.length, "path")
  const were = paths.length === 1 ? "as it was" : "as they were"
  await runMove(cli, { ...options, files: "restore" }, (session) => {
    const within = workspacePaths(cli, session, paths)
    const then = `${were} ${momentWords(session.history, session.headRow, entry)}`
    return {
      did: `Restored ${what} ${then}`,
      would: `Would restore ${what} ${then}`,
      none: none(paths, sanitiseLine(entry)),
      anyway: anyway(session, entry, paths),
      make: ({ by, dryRun, ...asked }) =>
        session.files.restore(entry, {
          ...(by === undefined ? {} : { by }),
          ...(dryRun === undefined ? {} : { dryRun }),
          ...filesAsked(asked),
          ...(within === undefined ? {} : { paths: within }),
        }),
    }
  })
}

/** If there is a snapshot to take their bytes from. */
function anyway({ history, headRow }: Session, entry: string, paths: readonly string[]): string | undefined {
  const found = resolveEntry(history, headRow, entry)
  if (!found.ok || snapshotAt(history, found.row) === undefined) return undefined
  const which = paths.length === 0 ? "PATH…" : paths.map(shellWord).join(" ")
  return `To get a file as it was then, whoever changed it: retcon restore ${sanitiseLine(`${shellWord(entry)} ${which}`)} --theirs`
}

/** Without paths only the agent's changes are taken back. */
function none(paths: readonly string[], entry: string): string {
  if (paths.length === 0)
    return `retcon knows no file that the agent changed since ${entry}. Nothing was changed; your own edits stay.`
  const where = paths.length === 1 ? sanitiseLine(paths[0] ?? "") : "these paths"
  return `No file at ${where} differs from ${entry}. Nothing was changed.`
}

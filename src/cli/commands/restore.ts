// retcon restore ENTRY [PATH…]: restores the files as they were at an entry. The conversation stays where it is.
import { momentWords } from "../../history/words/moment-words.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { filesAsked } from "../../session/files/known/files-request.ts"
import { type MoveFlags, runMove } from "../move/run-move.ts"
import type { Cli } from "../port/cli.ts"
import { workspacePaths } from "../sessions/workspace-path.ts"

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

/** Without paths only the agent's changes are taken back. */
function none(paths: readonly string[], entry: string): string {
  if (paths.length === 0)
    return `retcon knows no file that the agent changed since ${entry}. Nothing was changed; your own edits stay.`
  const where = paths.length === 1 ? sanitiseLine(paths[0] ?? "") : "these paths"
  return `No file at ${where} differs from ${entry}. Nothing was changed.`
}

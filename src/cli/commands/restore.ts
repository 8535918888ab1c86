// retcon restore ENTRY [PATH…]: the files as they were at an entry. The conversation stays where it is.

import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { filesAsked } from "../../session/files/restore.ts"
import type { Cli } from "../cli.ts"
import { type MoveFlags, runMove } from "../move.ts"
import { workspacePaths } from "../workspace-path.ts"

export async function run(cli: Cli, options: MoveFlags & { entry: string; paths?: string[] }): Promise<void> {
  const { entry, paths = [] } = options
  const what = paths.length === 0 ? "the files" : count(paths.length, "path")
  await runMove(cli, options, (session) => {
    const within = workspacePaths(cli, session, paths)
    return {
      did: `Restored ${what} of ${entry}`,
      would: `Would restore ${what} of ${entry}`,
      none: `${none(paths)} differs from ${sanitiseLine(entry)}. Nothing was changed.`,
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

function none(paths: readonly string[]): string {
  if (paths.length === 0) return "No file"
  return paths.length === 1 ? `No file at ${sanitiseLine(paths[0] ?? "")}` : "No file at these paths"
}

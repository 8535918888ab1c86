// retcon redo: takes back the last undo.

import { type MoveFlags, runMove } from "../move/run-move.ts"
import { unitName } from "../move/unit-name.ts"
import type { Cli } from "../port/cli.ts"

export async function run(cli: Cli, options: MoveFlags): Promise<void> {
  await runMove(cli, options, (session) => {
    const unit = unitName(session.history, "redo")
    return { did: `Redid ${unit}`, would: `Would redo ${unit}`, make: (how) => session.redo(how) }
  })
}

// retcon undo: before the last move or round. Again, and it goes further back.

import { type MoveFlags, runMove } from "../move/run-move.ts"
import { unitName } from "../move/unit-name.ts"
import type { Cli } from "../port/cli.ts"

export async function run(cli: Cli, options: MoveFlags): Promise<void> {
  await runMove(cli, options, (session) => {
    const unit = unitName(session.history, "undo")
    return { did: `Undid ${unit}`, would: `Would undo ${unit}`, make: (how) => session.undo(how) }
  })
}

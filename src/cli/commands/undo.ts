// retcon undo: before the last move or round. Again, and it goes further back.

import type { Cli } from "../cli.ts"
import { type MoveFlags, runMove } from "../move.ts"
import { unitName } from "../unit-name.ts"

export async function run(cli: Cli, options: MoveFlags): Promise<void> {
  await runMove(cli, options, (session) => {
    const unit = unitName(session.history, "undo")
    return { did: `Undid ${unit}`, would: `Would undo ${unit}`, make: (how) => session.undo(how) }
  })
}

// retcon undo [N]: takes back the last move or round. Repeated, it goes further back.
import { runSteps, type StepFlags } from "../move/run-move.ts"
import { unitName } from "../move/unit-name.ts"
import type { Cli } from "../port/cli.ts"

export async function run(cli: Cli, options: StepFlags): Promise<void> {
  await runSteps(cli, options, (session) => {
    const unit = unitName(session.history, "undo")
    return { did: `Undid ${unit}`, would: `Would undo ${unit}`, make: (how) => session.undo(how) }
  })
}

// retcon redo [N]: redoes what was undone last.
import { runSteps, type StepFlags } from "../move/run-move.ts"
import { unitName } from "../move/unit-name.ts"
import type { Cli } from "../port/cli.ts"

export async function run(cli: Cli, options: StepFlags): Promise<void> {
  await runSteps(cli, options, (session) => {
    const unit = unitName(session.history, "redo")
    return { did: `Redid ${unit}`, would: `Would redo ${unit}`, make: (how) => session.redo(how) }
  })
}

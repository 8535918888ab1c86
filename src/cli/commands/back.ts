// retcon back [N]: to before the last prompt, or the last N.
import { count } from "../../model/text/amounts.ts"
import { type MoveFlags, runMove } from "../move/run-move.ts"
import type { Cli } from "../port/cli.ts"

export async function run(cli: Cli, options: MoveFlags & { rounds?: number }): Promise<void> {
  const rounds = options.rounds ?? 1
  const far = count(rounds, "round")
  await runMove(cli, options, (session) => ({
    did: `Went back ${far}`,
    would: `Would go back ${far}`,
    make: (how) => session.back({ ...how, rounds }),
  }))
}

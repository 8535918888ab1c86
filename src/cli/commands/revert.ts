// retcon revert ROUND…: takes back the file changes of single rounds. retcon bring ROUND…: makes them again.
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { type MoveFlags, runMove } from "../move/run-move.ts"
import type { Cli } from "../port/cli.ts"

type RoundFlags = MoveFlags & { rounds: string[] }

export function run(cli: Cli, options: RoundFlags): Promise<void> {
  const which = roundsWords(options.rounds)
  return runMove(cli, { ...options, files: "restore" }, (session) => ({
    did: `Took back the file changes of ${which}`,
    would: `Would take back the file changes of ${which}`,
    none: `The files contain no change of ${which} that could be taken back. Nothing was changed.`,
    make: (how) => session.revert(options.rounds, how),
  }))
}

export function bring(cli: Cli, options: RoundFlags): Promise<void> {
  const which = roundsWords(options.rounds)
  return runMove(cli, { ...options, files: "restore" }, (session) => ({
    did: `Made the file changes of ${which} again`,
    would: `Would make the file changes of ${which} again`,
    none: `The files contain every change of ${which} already. Nothing was changed.`,
    make: (how) => session.bring(options.rounds, how),
  }))
}

function roundsWords(rounds: readonly string[]): string {
  return rounds.length === 1 ? `round ${sanitiseLine(rounds[0] ?? "")}` : count(rounds.length, "round")
}

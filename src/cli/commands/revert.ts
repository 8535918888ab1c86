// retcon revert ROUND…: takes back the file changes of single rounds. retcon pick BRANCH: goes there with its files. retcon bring
// BRANCH: stays, and brings what was found and changed there.
import { leaveNote, notesOf } from "../../app/notes/folder-notes.ts"
import { bringIn } from "../../app/open/bring.ts"
import { resolveEntry } from "../../history/plan/resolve.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { isOnPath } from "../../history/tree/tree.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { Session } from "../../session/session.ts"
import { type MoveFlags, runMove } from "../move/run-move.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"

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

export function pick(cli: Cli, options: MoveFlags & { branch: string }): Promise<void> {
  const name = `“${sanitiseLine(options.branch)}”`
  return runMove(cli, { ...options, files: "restore" }, (session) => ({
    did: `Took ${name} with its files`,
    would: `Would take ${name} with its files`,
    make: (how) => session.goto(options.branch, how),
  }))
}

type BringFlags = MoveFlags & { what: string[]; onlyRound?: boolean; note?: string | boolean }

export function bring(cli: Cli, options: BringFlags): Promise<void> {
  const { what, onlyRound = false, note, files } = options
  if (note === false && files === "keep")
    throw new UsageError("With --no-note and --files keep, nothing is left to bring.", "Leave out one of the two.")
  return runMove(cli, options, (session) => {
    const isBranch = !onlyRound && what.length === 1 && isElsewhere(session, what[0] ?? "")
    const words = isBranch ? branchWords(what[0] ?? "") : wordsOfRounds(what)
    return {
      ...words,
      make(asked) {
        const { only: _, ...how } = asked
        const noted = typeof note === "string" || note === false ? { note } : {}
        const notes = notesOf(cli, directoryOf(session.log))
        return bringIn(session, what, { ...how, onlyRound, ...noted }, (text) => leaveNote(notes, text, "retcon"))
      },
    }
  })
}

function isElsewhere({ history, headRow }: Session, name: string): boolean {
  const resolved = resolveEntry(history, headRow, name)
  return resolved.ok && !isOnPath(history, resolved.row, headRow)
}

function branchWords(name: string) {
  const which = `“${sanitiseLine(name)}”`
  return { did: `Brought what is new on ${which}`, would: `Would bring what is new on ${which}` }
}

function wordsOfRounds(what: readonly string[]) {
  const which = roundsWords(what)
  return {
    did: `Made the file changes of ${which} again`,
    would: `Would make the file changes of ${which} again`,
    none: `The files contain every change of ${which} already. Nothing was changed.`,
  }
}

function roundsWords(rounds: readonly string[]): string {
  return rounds.length === 1 ? `round ${sanitiseLine(rounds[0] ?? "")}` : count(rounds.length, "round")
}

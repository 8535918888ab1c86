// What back, goto, undo and redo share: which session, whether it is a dry run, and how the outcome is told.
import { RetconError } from "../model/failure.ts"
import type { MoveOptions } from "../session/move.ts"
import type { MoveResult } from "../session/moved.ts"
import type { Session } from "../session/session.ts"
import type { Cli } from "./cli.ts"
import { type FilesChoice, filesChoice } from "./files.ts"
import { movedText } from "./moved-text.ts"
import { printJson } from "./print-json.ts"
import { type SessionChoice, withChosen } from "./select.ts"

export interface MoveFlags extends SessionChoice {
  files?: FilesChoice
  dryRun?: boolean
  json?: boolean
}

export interface Move {
  /** What is done, in the past: "Went back 1 round". And as it would be: "Would go back 1 round". */
  did: string
  would: string
  make: (options: MoveOptions) => Promise<MoveResult>
}

/** Contract: a refusal is thrown as its failure; nothing was written then. */
export async function runMove(cli: Cli, flags: MoveFlags, moveOf: (session: Session) => Move): Promise<void> {
  filesChoice(cli, flags.files)
  await withChosen(cli, flags, async (session) => {
    const move = moveOf(session)
    const result = await move.make({ by: "person", dryRun: flags.dryRun === true })
    if (result.outcome === "refused") throw new RetconError(result.failure)
    if (flags.json === true) {
      const { head, left, prompt, files, ...more } = result
      printJson(cli.out, { head, left, prompt, files, ...more, session: session.id, dryRun: flags.dryRun === true })
    } else cli.out.write(movedText(session.history, result, move, cli.out.width))
  })
}

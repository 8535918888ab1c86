// retcon goto ENTRY: to any entry; for something you said, to before it. `start` is the empty conversation.
import { isSaid } from "../../history/tree/person-words.ts"
import { shortId } from "../../model/id.ts"
import type { Session } from "../../session/session.ts"
import { type MoveFlags, runMove } from "../move/run-move.ts"
import type { Cli } from "../port/cli.ts"

export async function run(cli: Cli, options: MoveFlags & { entry: string }): Promise<void> {
  await runMove(cli, options, (session) => {
    const entry = options.entry === "start" ? null : options.entry
    const place = entry === null ? "the start" : placeOf(session, entry)
    return { did: `Went to ${place}`, would: `Would go to ${place}`, make: (how) => session.goto(entry, how) }
  })
}

function placeOf(session: Session, name: string): string {
  const entry = session.resolve(name)
  const { history } = session
  const row = history.rowOf(entry)
  if (!isSaid(history, row) || /^head~[1-9]/.test(name)) return shortId(entry)
  return `before ${history.isPrompt(row) ? "prompt" : "message"} ${shortId(entry)}`
}

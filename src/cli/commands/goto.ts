// retcon goto ENTRY: to any entry. To a prompt means before it; `start` is the empty conversation.
import { shortId } from "../../model/id.ts"
import type { Session } from "../../session/session.ts"
import type { Cli } from "../cli.ts"
import { type MoveFlags, runMove } from "../move.ts"

export async function run(cli: Cli, options: MoveFlags & { entry: string }): Promise<void> {
  await runMove(cli, options, (session) => {
    const entry = options.entry === "start" ? null : options.entry
    const place = entry === null ? "the start" : placeOf(session, entry)
    return { did: `Went to ${place}`, would: `Would go to ${place}`, make: (how) => session.goto(entry, how) }
  })
}

function placeOf(session: Session, name: string): string {
  const entry = session.resolve(name)
  const before = session.history.isPrompt(session.history.rowOf(entry)) && !/^head~[1-9]/.test(name)
  return before ? `before prompt ${shortId(entry)}` : shortId(entry)
}

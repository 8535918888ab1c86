// What is done with a branch from a list of them: go there with its files, bring it, or take back the changes of one round.
import { type EntryId, shortId } from "../../../model/id.ts"
import type { MoveResult } from "../../../model/move/moved.ts"
import type { HostSession } from "../../../protocol/host.ts"
import type { OverlayHost } from "../../screen/overlay-host.ts"
import { attempt } from "../frame/attempt.ts"
import { settledMove } from "./settle.ts"

export type BranchMove = "pick" | "bring" | "revert"

export interface MadeMove {
  answer: Exclude<MoveResult, { outcome: "refused" }>
  did: string
}

/** A refusal, or that nothing was to be done, is for the page itself. Undefined: the person cancelled. */
export async function moveBranch(
  host: OverlayHost,
  session: HostSession,
  move: BranchMove,
  { entry, name = shortId(entry) }: { entry: EntryId; name?: string | undefined },
): Promise<MadeMove | Extract<MoveResult, { outcome: "refused" }> | undefined> {
  const { make, did, title } = MOVES[move](session, entry, name)
  const asked = title === undefined ? {} : { when: "always" as const, title, since: entry }
  const answer = await settledMove(host, session, (more) => attempt<MoveResult>(() => make(more)), asked)
  return answer === undefined || answer.outcome === "refused" ? answer : { answer, did }
}

type Make = (more: Parameters<HostSession["pick"]>[1]) => Promise<MoveResult>

const MOVES: Record<
  BranchMove,
  (session: HostSession, entry: EntryId, name: string) => { make: Make; did: string; title?: string }
> = {
  pick: (session, entry, name) => ({
    make: (more) => session.pick(entry, more),
    did: `Took ${name} with its files`,
  }),
  bring: (session, entry, name) => ({
    make: (more) => session.bring([entry], more),
    did: `Brought what is new on ${name}`,
    title: `Bring what was found on ${name}, and these files`,
  }),
  revert: (session, entry, name) => ({
    make: (more) => session.revert([entry], more),
    did: `File changes of ${name} taken back`,
    title: `Take back only the file changes of ${name}`,
  }),
}

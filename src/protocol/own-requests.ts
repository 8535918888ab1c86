// What one front end expects of the head of its session: what it shows, and what it has itself asked for since. Nobody is asked
// whether their own prompt or move, which the screen does not show yet, was meant.
import { entryId, NONE } from "../history/tree/tree.ts"
import type { EntryId, RecordId } from "../model/id.ts"
import type { MoveResult } from "../model/move/moved.ts"
import type { SendAnswer, SendRequest, SessionContents } from "./host.ts"

/** To be part of a request. Nothing is expected while a prompt of one's own is on its way. */
type Expects = Pick<SendRequest, "expects">

type Shown = EntryId | null

export interface OwnRequests {
  /** `shown`: the head on the screen, if that may lag behind the session's. */
  expects(shown?: Shown): Expects
  send(asked: Expects, send: (asked: Expects) => Promise<SendAnswer>): Promise<SendAnswer>
  /** Contract: `make` is a move and no dry run. */
  move(asked: Expects, make: (asked: Expects) => Promise<MoveResult>): Promise<MoveResult>
}

type Head = Pick<SessionContents, "history" | "head">

const known = new WeakMap<Head, OwnRequests>()

/** The same for each caller: a front end has one object for a session, and no other front end has that. */
export function ownRequests(session: Head): OwnRequests {
  const found = known.get(session) ?? makeOwnRequests(session)
  known.set(session, found)
  return found
}

function makeOwnRequests(session: Head): OwnRequests {
  /** Where prompts began that have no answer yet. */
  const sending: Shown[] = []
  /** Where the last request that was answered began. A move: where it led. */
  let last: { from: Shown; moved?: { operation: RecordId; head: Shown } } | undefined

  /** Where the session is after what was asked for here, as far as the screen does not show it yet. */
  function reached(shown: Shown): Shown {
    if (last?.from !== shown) return shown
    const { moved } = last
    if (moved !== undefined && session.history.rowOf(moved.operation) === NONE) return moved.head
    const head = entryId(session.history, session.head)
    return moved === undefined || moved.head === head ? head : shown
  }

  return {
    expects(shown = entryId(session.history, session.head)) {
      const at = reached(shown)
      return sending.includes(at) ? {} : { expects: at }
    },
    async send(asked, send) {
      const { expects: from } = asked
      if (from === undefined) return send(asked)
      sending.push(from)
      try {
        const answer = await send(asked)
        last = { from }
        return answer
      } finally {
        sending.splice(sending.indexOf(from), 1)
      }
    },
    async move(asked, make) {
      const answer = await make(asked)
      const { expects: from } = asked
      if (answer.outcome !== "moved" || answer.operation === null || from === undefined) return answer
      const isShown = last?.moved === undefined || reached(last.from) !== from
      last = {
        from: isShown ? from : (last?.from ?? null),
        moved: { operation: answer.operation, head: answer.head },
      }
      return answer
    },
  }
}

// A turn holds the lease and has an epoch. Once it is stopped, it can append nothing: late results are refused.
import { entryId } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import { type AppendOptions, appendAfter, appendEntries } from "./append.ts"
import type { EntryDraft } from "./draft.ts"
import { movedElsewhere } from "./moved-elsewhere.ts"
import { openCallsOf, settlingDraft } from "./open-calls.ts"
import { inTurn, noticeAll, type OpenSession } from "./open-session.ts"

export interface Turn {
  readonly epoch: number
  /** Contract: throws `turn-ended` once the turn has ended or was stopped, and then appends nothing. */
  append(drafts: EntryDraft | readonly EntryDraft[], options?: AppendOptions): Promise<EntryId[]>
  isOver(): boolean
  /** Aborted when a move, another turn or the session's end stops the turn: for the model's call and the tools. */
  readonly signal: AbortSignal
  end(): Promise<void>
}

export interface TurnOptions {
  /** The head that the person sees: throws `moved-elsewhere` if it is another one. */
  expects?: EntryId | null
}

/** Takes the lease while nobody moves: whoever moves afterwards sees it, and whoever moved before is seen here. */
export async function beginTurn(session: OpenSession, { expects }: TurnOptions = {}): Promise<Turn> {
  await session.log.alone(async () => {
    const taken = await session.log.lease.take()
    if (!taken.ok) throw new RetconError({ code: "session-busy", session: session.log.id, pid: taken.pid })
    try {
      noticeAll(session)
      const failure = movedElsewhere(session, expects)
      if (failure !== undefined) throw new RetconError(failure)
    } catch (error) {
      if (!session.running) await session.log.lease.release()
      throw error
    }
  })
  if (session.running) await replaceTurn(session)
  // From here on the head is this turn's own: it continues where it is now, whatever others append.
  const { head } = session
  session.head = head
  session.running = true
  const epoch = ++session.epoch
  const stopping = new AbortController()
  session.stopping = stopping
  const isOver = () => session.closed || !session.running || session.epoch !== epoch
  return {
    epoch,
    isOver,
    signal: stopping.signal,
    async append(drafts, options) {
      if (isOver()) throw new RetconError({ code: "turn-ended" })
      return inTurn(session, async () => {
        if (isOver()) throw new RetconError({ code: "turn-ended" })
        return appendEntries(session, Array.isArray(drafts) ? drafts : [drafts as EntryDraft], options)
      })
    },
    async end() {
      if (isOver()) return
      await inTurn(session, async () => {
        if (isOver()) return
        session.running = false
        session.stopping = undefined
        await session.log.lease.release()
      })
    },
  }
}

/** Stops the running turn of this process, if any: aborts it, settles its open calls, releases the lease. */
export async function stopTurn(session: OpenSession): Promise<boolean> {
  if (!session.running) return false
  try {
    await settle(session)
  } finally {
    await session.log.lease.release()
  }
  return true
}

/** Ends the running turn because another begins. We keep the lease, unless this fails. */
async function replaceTurn(session: OpenSession): Promise<void> {
  try {
    await settle(session)
  } catch (error) {
    await session.log.lease.release()
    throw error
  }
}

/** Aborts everything that works for the turn. */
export function abortTurn(session: OpenSession): void {
  session.stopping?.abort(new RetconError({ code: "turn-ended" }))
  session.stopping = undefined
}

/** From here on, the turn can append nothing. */
async function settle(session: OpenSession): Promise<void> {
  const { epoch: stopped, head } = session
  session.running = false
  session.epoch++
  abortTurn(session)
  session.events.emit({ type: "turn-stopped", epoch: stopped })
  const open = openCallsOf(session, head)
  const parent = entryId(session.history, head)
  if (open.length === 0) return
  noticeAll(session)
  await appendAfter(session, parent, [settlingDraft(open)], { durable: true })
}

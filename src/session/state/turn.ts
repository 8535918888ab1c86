// A turn holds the lease and an epoch. Once it is stopped, nothing of it can append: late results are refused.
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import { type AppendOptions, appendEntries } from "./append.ts"
import type { EntryDraft } from "./draft.ts"
import { openCallsAt, settlingDraft } from "./open-calls.ts"
import { type Desk, inTurn, notice } from "./open-session.ts"

export interface Turn {
  readonly epoch: number
  /** Contract: throws `turn-ended` once the turn has ended or was stopped, and then appends nothing. */
  append(drafts: EntryDraft | readonly EntryDraft[], options?: AppendOptions): Promise<EntryId[]>
  isOver(): boolean
  /** Aborted when the turn is stopped, by a move, another turn or the session's end: for the model's call and the tools. */
  readonly signal: AbortSignal
  end(): Promise<void>
}

export async function beginTurn(desk: Desk): Promise<Turn> {
  notice(desk)
  const taken = await desk.log.lease.take()
  if (!taken.ok) throw new RetconError({ code: "session-busy", session: desk.log.id, pid: taken.pid })
  if (desk.running) await replaceTurn(desk)
  desk.running = true
  const epoch = ++desk.epoch
  const stopping = new AbortController()
  desk.stopping = stopping
  const isOver = () => desk.closed || !desk.running || desk.epoch !== epoch
  return {
    epoch,
    isOver,
    signal: stopping.signal,
    async append(drafts, options) {
      if (isOver()) throw new RetconError({ code: "turn-ended" })
      return inTurn(desk, async () => {
        if (isOver()) throw new RetconError({ code: "turn-ended" })
        return appendEntries(desk, Array.isArray(drafts) ? drafts : [drafts as EntryDraft], options)
      })
    },
    async end() {
      if (isOver()) return
      await inTurn(desk, async () => {
        if (isOver()) return
        desk.running = false
        desk.stopping = undefined
        await desk.log.lease.release()
      })
    },
  }
}

/** Stops the turn of this process, if one runs: tells it, settles its open calls as one message, lets the lease go. */
export async function stopTurn(desk: Desk): Promise<boolean> {
  if (!desk.running) return false
  try {
    await settle(desk)
  } finally {
    await desk.log.lease.release()
  }
  return true
}

/** Ends the turn that runs because another begins. The lease stays ours, unless this fails. */
async function replaceTurn(desk: Desk): Promise<void> {
  try {
    await settle(desk)
  } catch (error) {
    await desk.log.lease.release()
    throw error
  }
}

/** Tells whoever works for the turn that it is over. */
export function abortTurn(desk: Desk): void {
  desk.stopping?.abort(new RetconError({ code: "turn-ended" }))
  desk.stopping = undefined
}

/** From here on, nothing of the turn can append. */
async function settle(desk: Desk): Promise<void> {
  const stopped = desk.epoch
  desk.running = false
  desk.epoch++
  abortTurn(desk)
  desk.events.emit({ type: "turn-stopped", epoch: stopped })
  const open = desk.open ?? openCallsAt(desk.history, desk.head)
  if (open.length > 0) await appendEntries(desk, [settlingDraft(open)], { durable: true })
}

// Moves the head in another agent's session: appends our operation first, then the lines that its own program understands.
import type { AgentName, AppendedMove } from "../../formats/port.ts"
import { SPLIT_ADVICE } from "../../formats/shared/split-advice.ts"
import { entryId, NONE, type Row } from "../../history/tree/tree.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { adviceList } from "../../model/failure/advice.ts"
import type { Failure } from "../../model/failure/failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { type RecordId, type SessionId, shortId } from "../../model/id.ts"
import type { OperationRecord } from "../../model/record/record.ts"
import { appendLines } from "../disk/append-lines.ts"
import type { ScannedSession } from "../scan/scanned-session.ts"

export interface MovingSession {
  readonly agent: AgentName
  readonly id: SessionId
  readonly file: string
  readonly gone?: string
  readonly scanned: ScannedSession
  holder(): { pid: number; lingers?: true } | undefined | "unknown"
  /** Reads what other processes have written. */
  refresh(): void
  /** Contract: durable once it resolves. */
  keep(operation: OperationRecord): Promise<void>
}

/** A placeholder for when only the lines are wanted. */
const NO_OPERATION: OperationRecord = {
  id: "00000000-0000-7000-8000-000000000000" as RecordId,
  type: "operation",
  at: "1970-01-01T00:00:00.000Z",
  kind: "goto",
  by: "person",
  head: { from: null, to: null },
}

/** Why the agent would not continue from this row; undefined if it would. */
export function whyNotHonoured(session: MovingSession, to: Row): Failure | undefined {
  const move = plan(session, to, NO_OPERATION)
  return move.ok ? undefined : notHonoured(session, move, to)
}

function plan(session: MovingSession, to: Row, operation: OperationRecord): AppendedMove {
  const title = agentTitle(session.agent)
  if (session.gone !== undefined) {
    const advice = ["Restore it first with: ", { do: "restore-kept", id: session.id } as const]
    return { ok: false, problem: `${title} no longer has this session: this is a copy.`, advice }
  }
  const move = session.scanned.move(to, operation)
  if (move !== undefined) return move
  const problem = `${title} always continues at the end of a session, so retcon cannot move it back.`
  return { ok: false, problem, advice: SPLIT_ADVICE }
}

function notHonoured(session: MovingSession, move: Extract<AppendedMove, { ok: false }>, to: Row): Failure {
  const { agent, id, scanned } = session
  const { problem, advice } = move
  // The format does not know what the session and the entry are called in retcon.
  const entry = to === NONE ? {} : { entry: shortId(scanned.history.id(to)) }
  const named = adviceList(advice).map((part) =>
    typeof part === "object" && part.do === "split" ? { ...entry, session: shortId(id), ...part } : part,
  )
  return { code: "not-honoured", agent, problem, advice: named }
}

/**
 * Contract: returns the operation's row. A crash at any point leaves the head either where it was or at its target: an operation
 * without its lines has no effect, and the agent ignores half of the lines.
 */
export async function moveHead(session: MovingSession, operation: OperationRecord): Promise<Row> {
  session.refresh()
  const { history } = session.scanned
  const to = operation.head.to === null ? NONE : history.rowOf(operation.head.to)
  const move = plan(session, to, operation)
  if (!move.ok) throw new RetconError(notHonoured(session, move, to))
  const source = session.scanned.scannedFile(move.source)
  if (source === undefined) throw new RetconError({ code: "vanished", path: session.file })
  const lands = entryId(history, move.lands)
  await session.keep(operation)
  const holder = session.holder()
  if (typeof holder === "object") throw inUse(session, holder)
  // Where nobody can tell whether it is open, the person has said that it is not.
  if (appendLines({ ...source, lines: move.lines }) === "grown") throw inUse(session, { pid: 0 })
  session.refresh()
  const row = history.rowOf(operation.id)
  if (row !== NONE && entryId(history, history.head) === lands) return row
  const problem = `${agentTitle(session.agent)} would not continue from there, even though retcon wrote the lines for that.`
  throw new RetconError(
    notHonoured(session, { ok: false, problem, advice: ["See where it is with: ", { do: "log" }] }, to),
  )
}

function inUse({ id, agent }: MovingSession, holder: { pid: number; lingers?: true }): RetconError {
  return new RetconError({ code: "session-busy", session: id, ...holder, agent })
}

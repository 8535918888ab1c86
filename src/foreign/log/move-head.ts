// Moves the head in another agent's session: appends our operation first, then the lines that its own program understands.
import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs"
import type { AgentName, AppendedMove } from "../../formats/port.ts"
import { SPLIT_ADVICE } from "../../formats/shared/split-advice.ts"
import { entryId, NONE, type Row } from "../../history/tree/tree.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { adviceList, type Failure } from "../../model/failure/failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { type RecordId, type SessionId, shortId } from "../../model/id.ts"
import type { OperationRecord } from "../../model/record/record.ts"
import { attempt } from "../../store/file/disk/problems.ts"
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
  const { history } = session.scanned
  const planned = entryId(history, history.head)
  session.refresh()
  // Its agent has written something since the move was planned, from where the head was then.
  if (entryId(history, history.head) !== planned) throw inUse(session, { pid: 0 })
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

const NEWLINE = 10

interface LinesToAppend {
  file: string
  lines: readonly string[]
  /** The length of the file when we last read it. If it is longer now, its agent is writing to it. */
  size: number
}

/**
 * The only code that writes into another agent's session: whole lines, at the end, in one write. Contract: writes
 * nothing if the file has grown since we read it, or writes everything durably; says which. Never creates a file.
 * Nobody else has the session open, so an unterminated last line was left by a program that died: it is terminated
 * first.
 */
function appendLines({ file, lines, size }: LinesToAppend): "grown" | "appended" {
  return attempt(file, () => {
    const fd = openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(fd)
      if (!stat.isFile() || stat.size !== size) return "grown"
      const ends = endsWithNewline(fd, size)
      const bytes = Buffer.from(`${ends ? "" : "\n"}${lines.map((line) => `${line}\n`).join("")}`)
      writeOrTakeBack(fd, file, bytes, size)
      fdatasyncSync(fd)
      return "appended"
    } finally {
      closeSync(fd)
    }
  })
}

/**
 * Half a line would be in its agent's way: some refuse to resume such a session. So what was written is cut off again, unless
 * something follows it.
 */
function writeOrTakeBack(fd: number, file: string, bytes: Uint8Array, size: number): void {
  let written = 0
  try {
    written = writeSync(fd, bytes)
    if (written < bytes.length) throw new RetconError({ code: "disk-full", path: file })
  } catch (error) {
    if (written > 0 && fstatSync(fd).size === size + written) ftruncateSync(fd, size)
    throw error
  }
}

function endsWithNewline(fd: number, size: number): boolean {
  const last = Buffer.alloc(1)
  return size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE)
}

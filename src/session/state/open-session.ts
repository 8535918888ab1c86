// What the operations of one open session share: its log, its head, its listeners.
import type { MovePlan } from "../../history/plan/plan.ts"
import { entryId, type History, NONE, type Row } from "../../history/tree/tree.ts"
import type { Failure } from "../../model/failure/failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId, Ids, RecordId } from "../../model/id.ts"
import { KIND } from "../../model/record/kind.ts"
import type { Author, FilesMove, OperationRecord, WritableRecord } from "../../model/record/record.ts"
import type { Serial } from "../../model/serial.ts"
import type { LogAppendOptions, SessionLog, SessionStore } from "../../store/port.ts"
import type { FileBytes, Workspace } from "../../workspace/port.ts"
import type { OpenCall } from "./open-calls.ts"
import type { Events } from "./session-events.ts"

/** The clock and the ids are passed in, so that tests can fix them. */
export interface SessionOptions {
  ids: Ids
  /** ISO time. */
  now: () => string
  /** `sync` (default): a prompt, the end of a step and every operation survive a power cut. */
  durability?: "sync" | "fast"
  /** The files of the session's directory. Without it, only conversations move: files are not covered. */
  workspace?: Workspace
  /** What a move does with files if not told otherwise; `keep` by default. */
  files?: "keep" | "restore"
  /** Another agent's copies of files, in its own session. */
  earlier?: EarlierFiles
}

/** Files as another agent kept them. */
export interface EarlierFiles {
  /** The files' content right before a prompt, as far as the agent has copies; only from prompts before `until`. */
  before(prompt: Row, until?: Row): Promise<FileBytes[]>
  /** Commits recorded for these prompts, oldest first: right before each, and after its round. */
  commits?(prompt: Row, until?: Row): { prompt: Row; from: string; to: string }[]
  /** What the copies omit, as a sentence. */
  readonly words: string
}

export interface OpenSession {
  readonly store: SessionStore
  readonly log: SessionLog
  readonly history: History
  readonly events: Events
  readonly ids: Ids
  readonly durability: "sync" | "fast"
  readonly now: () => string
  readonly files: Workspace | undefined
  readonly filesMode: "keep" | "restore"
  readonly earlier: EarlierFiles | undefined
  /** Our head. Other writers' records do not move it. */
  head: Row
  /** The log no longer contains our head: another program cut it off or overwrote it. */
  readonly lost: boolean
  /** Moves the head elsewhere, because its entry is lost. */
  replaceLostHead(row: Row): void
  /** Calls that are open at the head; undefined if not determined yet. */
  openCalls: OpenCall[] | undefined
  /** Incremented whenever a turn may no longer append. */
  epoch: number
  /** Whether a turn of this process holds the lease. */
  running: boolean
  /** Of the running turn. */
  stopping: AbortController | undefined
  /** Operations and appends of one session run one after the other. */
  readonly queue: Serial
  /** No new work is accepted; what was requested before is still done. */
  closed: boolean
}

/** Runs `work` after everything requested before it (see `Serial`). */
export function inTurn<Value>(session: OpenSession, work: () => Promise<Value>): Promise<Value> {
  if (session.closed) return Promise.reject(closedFailure(session))
  return session.queue.run(work)
}

function closedFailure({ log }: OpenSession): RetconError {
  return new RetconError({ code: "io", path: log.file ?? log.id, problem: "the session is closed" })
}

/** Reads what others appended, and notifies our listeners. */
export function notice(session: OpenSession): void {
  tellAppended(session, session.log.refresh())
}

/** Tells listeners that others have appended this many lines at the end of the log. */
export function tellAppended(session: OpenSession, lines: number): void {
  const { head } = session.history
  tellOthers(session, { lines, head, apart: head !== session.head })
}

/** Lines from others, the head they left, and whether it differs from ours. */
export interface Others {
  lines: number
  head: Row
  apart: boolean
}

export function tellOthers(session: OpenSession, { lines, head, apart }: Others): void {
  if (lines > 0) session.events.emit({ type: "changed", lines, head: entryId(session.history, head), apart })
}

/**
 * Appends, and returns what others appended meanwhile: the caller tells listeners once it has moved the head. A line
 * that only seals a torn one is nobody's.
 */
export async function write(
  session: OpenSession,
  records: readonly WritableRecord[],
  options: LogAppendOptions,
): Promise<{ rows: Row[]; others: Others }> {
  const { history, head } = session
  const before = history.size
  const rows = await session.log.append(records, options)
  const others: Others = { lines: 0, head, apart: false }
  const ours = new Set(rows)
  for (let row = before; row < history.size; row++) {
    const kind = history.kind(row)
    if (kind === KIND.blank || kind === KIND.damaged || ours.has(row)) continue
    others.lines++
    others.head = history.headAfter(row)
  }
  others.apart = others.head !== head && !ours.has(others.head)
  return { rows, others }
}

/**
 * A move that is in the log is made, even if the disk did not confirm it: every reader goes by it, so its files must follow.
 * Contract: throws the error if it is not there.
 */
function written(session: OpenSession, operation: RecordId, error: unknown): Awaited<ReturnType<typeof write>> {
  session.log.refresh()
  const row = session.history.rowOf(operation)
  if (row === NONE) throw error
  return { rows: [row], others: { lines: 0, head: session.head, apart: false } }
}

/**
 * Whether records that were appended together are out of order (see `SessionLog.append`): an entry precedes its parent.
 */
export function isTornApart(rows: readonly Row[]): boolean {
  return rows.some((row, i) => row < (rows[i - 1] ?? 0))
}

/** Goes to where the log's replay ends, once everything requested before is done. */
export function followSoon(session: OpenSession): void {
  if (session.queue.idle) follow(session)
  else void session.queue.run(() => follow(session))
}

/** Goes to where the log's replay ends, which another writer may have moved. */
export function follow(session: OpenSession): void {
  session.head = session.history.head
  session.openCalls = undefined
}

/** Why a move is refused while another process runs a turn; a dry run only reports it. */
export function busy(session: OpenSession): (Failure & { code: "session-busy" }) | undefined {
  const holder = session.log.lease.holder()
  if (holder === undefined) return undefined
  const { id, agent } = session.log
  return { code: "session-busy", session: id, pid: holder.pid, ...(agent !== undefined && { agent }) }
}

/** Appends an operation, with its entry if it leaves one, in one write. */
export async function recordMove(
  session: OpenSession,
  plan: Pick<MovePlan, "kind" | "from" | "undoes"> & Partial<Pick<MovePlan, "prompt">>,
  to: EntryId | null,
  by: Author,
  entries: WritableRecord[] = [],
  { files, meanwhile }: { files?: FilesMove; meanwhile?: () => void } = {},
): Promise<RecordId> {
  const operation: OperationRecord = {
    id: session.ids.record(),
    type: "operation",
    at: session.now(),
    kind: plan.kind,
    by,
    head: { from: entryId(session.history, plan.from), to },
  }
  if (plan.undoes !== undefined) operation.undoes = plan.undoes
  const prompt = entryId(session.history, plan.prompt ?? NONE)
  if (prompt !== null) operation.prompt = prompt
  if (files !== undefined) operation.files = files
  const { durability } = session
  const records = [...entries, operation]
  let { rows, others } = await write(session, records, { durability, ...(meanwhile && { meanwhile }) }).catch(
    (error: unknown) => written(session, operation.id, error),
  )
  if (isTornApart(rows)) {
    operation.id = session.ids.record()
    ;({ rows, others } = await write(session, [operation], { durability }))
  }
  session.head = to === null ? NONE : session.history.headAfter(rows.at(-1) ?? NONE)
  session.openCalls = undefined
  session.events.emit({ type: "moved", operation: operation.id, kind: plan.kind, by, from: operation.head.from, to })
  tellOthers(session, others)
  return operation.id
}

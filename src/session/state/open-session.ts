// What the operations of one open session share: its log, its head, its listeners.
import type { SaidCall } from "../../history/files/said-calls.ts"
import type { MovePlan } from "../../history/plan/plan.ts"
import { takenFrom } from "../../history/rows/taken.ts"
import { entryId, type History, NONE, type Row } from "../../history/tree/tree.ts"
import { doneElsewhere } from "../../history/words/done-elsewhere.ts"
import type { Failure } from "../../model/failure/failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId, Ids, RecordId } from "../../model/id.ts"
import {
  type Author,
  type FilesMove,
  type FrontEnd,
  KIND,
  type OperationRecord,
  type TakenLine,
  type WritableRecord,
} from "../../model/record/record.ts"
import type { Serial } from "../../model/serial.ts"
import type { DoneElsewhere } from "../../model/text/done-elsewhere.ts"
import type { LogAppendOptions, SessionLog, SessionStore } from "../../store/port.ts"
import type { FileBytes, Workspace } from "../../workspace/port.ts"
import type { KnownCalls } from "./open-calls.ts"
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
  /**
   * `shared` (default): the head is where the log's replay ends, so that everyone who has the session open agrees on it. `own`:
   * it stays where this session left it, and what others append becomes another branch.
   */
  head?: "shared" | "own"
  /** Through what this process moves, for those who see it elsewhere. */
  via?: FrontEnd
  /** Another agent's copies of files, in its own session. */
  earlier?: EarlierFiles
}

/** Files as another agent kept them. */
export interface EarlierFiles {
  /** The files' content right before a prompt, as far as the agent has copies; only from prompts before `until`. */
  before(prompt: Row, until?: Row): Promise<FileBytes[]>
  /** Commits recorded for these prompts, oldest first: right before each, and after its round. */
  commits?(prompt: Row, until?: Row): { prompt: Row; from: string; to: string }[]
  /**
   * The calls, of sub-agents too, of which the agent's files tell what they changed: those after a row, in the order of their
   * time. A call that is not among them may have changed anything. Contract: reads what was written since then.
   */
  calls(since: Row): SaidCall[]
  /** What the copies omit, as a sentence. Absent: there are none, and only what calls changed is told. */
  readonly words?: string
}

export interface OpenSession {
  readonly store: SessionStore
  readonly log: SessionLog
  readonly history: History
  readonly events: Events
  readonly ids: Ids
  readonly durability: "sync" | "fast"
  readonly now: () => string
  readonly via: FrontEnd | undefined
  readonly files: Workspace | undefined
  readonly filesMode: "keep" | "restore"
  readonly earlier: EarlierFiles | undefined
  /** Where the next message continues. */
  head: Row
  /** Whether the head is where the log's replay ends, whoever moved it. A running turn keeps its own. */
  follows(): boolean
  /** The log no longer contains our head: another program cut it off or overwrote it. */
  readonly lost: boolean
  /** How many rows listeners have been told of, or were appended by us. */
  known: { generation: number; size: number }
  /** Undefined if not determined yet. */
  openCalls: KnownCalls | undefined
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

/**
 * Nobody else may move, or begin a turn, between the plan and its record: if two people go back at once, they go back twice. A dry
 * run waits for nobody.
 */
export function aloneFor<Value>(
  { log }: OpenSession,
  { dryRun }: { dryRun?: boolean },
  work: () => Promise<Value>,
): Promise<Value> {
  if (dryRun === true || log.access === "read-only") return work()
  return log.program === undefined ? log.alone(work) : log.program.free().then(() => log.alone(work))
}

/** Nobody begins a turn meanwhile. Throws `session-busy` if one runs, here or in another process. */
export function betweenTurns<Value>(session: OpenSession, work: () => Promise<Value>): Promise<Value> {
  return aloneFor(session, {}, async () => {
    const failure = busy(session)
    if (failure !== undefined) throw new RetconError(failure)
    if (session.running) throw new RetconError({ code: "session-busy", session: session.log.id, pid: 0 })
    return work()
  })
}

function closedFailure({ log }: OpenSession): RetconError {
  return new RetconError({ code: "io", path: log.file ?? log.id, problem: "the session is closed" })
}

/** Reads what others appended, and notifies our listeners. */
export function notice(session: OpenSession): void {
  session.log.refresh()
  tellAppended(session)
}

/** The same before something that continues from the head: a head that follows others must be known to be theirs. */
export function noticeAll(session: OpenSession): void {
  session.log.refresh({ must: session.follows() })
  tellAppended(session)
}

/** Tells listeners what others have appended since they were last told. */
export function tellAppended(session: OpenSession): void {
  tellOthers(session, othersSince(session, []))
}

/** Rows of others, the head that they left, and whether it is now ours or differs from ours. */
export interface Others {
  lines: number
  head: Row
  apart: boolean
  followed: boolean
  did: DoneElsewhere | undefined
}

/** `ours`: rows that we have just appended. A line that only seals a torn one is nobody's. */
function othersSince(session: OpenSession, ours: readonly Row[]): Others {
  const { history, log, known, head } = session
  const isSame = known.generation === log.generation
  const from = Math.min(known.size, history.size)
  session.known = { generation: log.generation, size: history.size }
  const own = new Set(ours)
  const theirs: Row[] = []
  let movers: Row[] = []
  for (let row = from; row < history.size; row++) {
    const taken = takenFrom(history, row)
    if (taken !== NONE) movers = movers.filter((each) => each < taken)
    else if (history.headAfter(row) !== history.headAfter(row - 1)) movers.push(row)
    const kind = history.kind(row)
    if (kind !== KIND.blank && kind !== KIND.damaged && !own.has(row)) theirs.push(row)
  }
  const last = theirs.at(-1)
  // Rows made anew do not tell what is new among them.
  if (!isSame) {
    const follows = session.follows()
    return { lines: Math.max(1, theirs.length), head: history.head, apart: false, followed: follows, did: undefined }
  }
  const left = last === undefined ? head : history.headAfter(last)
  const apart = !session.follows() && left !== head && !own.has(left)
  const mover = movers.at(-1)
  const followed = session.follows() && mover !== undefined && !own.has(mover)
  return { lines: theirs.length, head: left, apart, followed, did: doneElsewhere(history, theirs, log.agent) }
}

export function tellOthers(session: OpenSession, { lines, head, apart, followed, did }: Others): void {
  if (lines === 0) return
  const at = entryId(session.history, head)
  session.events.emit({ type: "changed", lines, head: at, apart, ...(followed && { followed }), ...(did && { did }) })
}

/** Appends, and returns what others appended meanwhile: the caller tells listeners once it has moved the head. */
export async function write(
  session: OpenSession,
  records: readonly (WritableRecord | TakenLine)[],
  options: LogAppendOptions,
): Promise<{ rows: Row[]; others: Others }> {
  const rows = await session.log.append(records, options)
  return { rows, others: othersSince(session, rows) }
}

/**
 * A move that is in the log is made, even if the disk did not confirm it: every reader goes by it, so its files must follow.
 * Contract: throws the error if it is not there.
 */
function written(
  session: OpenSession,
  records: readonly WritableRecord[],
  error: unknown,
): Awaited<ReturnType<typeof write>> {
  session.log.refresh()
  const rows = records.map(({ id }) => session.history.rowOf(id))
  if (rows.includes(NONE)) throw error
  return { rows, others: othersSince(session, rows) }
}

/**
 * Whether records that were appended together are out of order (see `SessionLog.append`): an entry precedes its parent.
 */
export function isTornApart(rows: readonly Row[]): boolean {
  return rows.some((row, i) => row < (rows[i - 1] ?? 0))
}

/** Goes to where the log's replay ends, once everything requested before is done. */
export function followSoon(session: OpenSession): void {
  const follow = () => {
    session.head = session.history.head
  }
  if (session.queue.idle) follow()
  else void session.queue.run(follow)
}

/** Why a move is refused while another process runs a turn; a dry run only reports it. */
export function busy(session: OpenSession): (Failure & { code: "session-busy" }) | undefined {
  const holder = session.log.lease.holder()
  if (holder === undefined) return undefined
  const { id, agent } = session.log
  const { pid, lingers, drives } = holder
  const theirs = agent !== undefined && drives !== true
  return { code: "session-busy", session: id, pid, ...(theirs && { agent }), ...(lingers && { lingers }) }
}

/** The record of a move. */
export function moveRecord(
  session: OpenSession,
  plan: Pick<MovePlan, "kind" | "from" | "undoes"> & Partial<Pick<MovePlan, "prompt">>,
  to: EntryId | null,
  { by = "person", via = session.via }: { by?: Author; via?: FrontEnd | undefined } = {},
): OperationRecord {
  const prompt = entryId(session.history, plan.prompt ?? NONE)
  return {
    id: session.ids.record(),
    type: "operation",
    at: session.now(),
    kind: plan.kind,
    by,
    ...(via !== undefined && { via }),
    head: { from: entryId(session.history, plan.from), to },
    ...(plan.undoes !== undefined && { undoes: plan.undoes }),
    ...(prompt !== null && { prompt }),
  }
}

export function tellMoved({ events }: OpenSession, { id, kind, by, head, prompt, files }: OperationRecord): void {
  const more = { ...(prompt !== undefined && { prompt }), ...(files !== undefined && { files: true as const }) }
  events.emit({ type: "moved", operation: id, kind, by, ...head, ...more })
}

/** Appends an operation, with its entry if it leaves one, in one write. */
export async function recordMove(
  session: OpenSession,
  plan: Parameters<typeof moveRecord>[1],
  to: EntryId | null,
  by: Author,
  entries: WritableRecord[] = [],
  { files, meanwhile, via }: { files?: FilesMove; meanwhile?: () => void; via?: FrontEnd | undefined } = {},
): Promise<RecordId> {
  const operation = moveRecord(session, plan, to, { by, via })
  if (files !== undefined) operation.files = files
  const { durability } = session
  const records = [...entries, operation]
  let { rows, others } = await write(session, records, { durability, ...(meanwhile && { meanwhile }) }).catch(
    (error: unknown) => written(session, records, error),
  )
  if (isTornApart(rows)) {
    operation.id = session.ids.record()
    ;({ rows, others } = await write(session, [operation], { durability }))
  }
  session.head = to === null ? NONE : session.history.headAfter(rows.at(-1) ?? NONE)
  tellMoved(session, operation)
  tellOthers(session, others)
  return operation.id
}

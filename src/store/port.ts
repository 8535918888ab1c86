// The port behind every session: a log that only grows, with an index for speed. contract.ts is its test suite.
import type { History, Row } from "../history/tree/tree.ts"
import type { Failure } from "../model/failure/failure.ts"
import { failureOf } from "../model/failure/system-failure.ts"
import type { SessionId } from "../model/id.ts"
import type { SessionRecord, TakenLine, WritableRecord } from "../model/record/record.ts"
import type { GoneAs } from "../model/text/gone-words.ts"
import type { UnreadablePlace } from "../model/text/unreadable-words.ts"
import type { LogSummary } from "./log-summary.ts"

export interface LogAppendOptions {
  /** `sync`: resolves once the records survive a power cut. `fast`: once they survive the end of this process. */
  durability: "sync" | "fast"
  /**
   * Called at most once, when everything is written and only the disk has to finish: work done here costs no extra
   * time. It must not throw, and sees the tree without these records. A store need not call it.
   */
  meanwhile?: () => void
}

/** A range of a line's bytes, as in `subarray`. */
export interface LinePart {
  from: number
  to: number
}

export interface SessionLog {
  /** The tree as it is known here. It grows with `append` and `refresh`. */
  readonly history: History
  readonly id: SessionId
  readonly header: SessionRecord
  /** The agent whose session it is, such as `claude-code`; absent: retcon's own. */
  readonly agent?: string
  /** Whether hooks of that agent can take snapshots of what it does. */
  readonly hooked?: boolean
  /** The command that continues it in that agent. */
  readonly resume?: readonly string[]
  /** When that agent removed it, as an ISO time: what we read is a copy. */
  readonly gone?: string
  /** What happened to the agent's file; absent: it was removed. */
  readonly goneAs?: GoneAs
  /**
   * `read-only` if a newer version wrote it, or it cannot be written. `moves`: the head can move, and labels, titles
   * and snapshots can be recorded, but no entries, because another agent writes those.
   */
  readonly access: "full" | "moves" | "read-only"
  /** False: its agent always continues at the end, so the head cannot move after all. Absent: as `access` says. */
  readonly followsMoves?: boolean
  /** Incremented when the rows were rebuilt because the log has changed: earlier rows are no longer valid. */
  readonly generation: number
  /** Where it is, in a form useful to a person; undefined if it is only in memory. */
  readonly file: string | undefined

  /** The bytes of a line, without its newline. `part`: only this range, for a line that may be too long for memory. */
  line(row: Row, part?: LinePart): Uint8Array
  /** The number of a row's line in its file, from 1. Absent: rows are lines. */
  lineNumber?(row: Row): number
  /** Why a row cannot be read; undefined if it can. */
  problem(row: Row): string | undefined
  /** A last line that is not a record and has no newline: its writer was interrupted. It has no row. */
  readonly tornTail?: { length: number } | undefined

  /**
   * Contract: appends all records, whose ids are new, or throws a RetconError. One write appends them in this order;
   * they are visible in the tree only once they are as durable as requested. Without records, nothing is written.
   * Appends to one log run one after the other. If another writer was first, its records come before these. After a
   * failure nothing is in the log, or the first of the records, each of them whole: cutting them off could cut off what another
   * writer has appended since. The next append works once the cause is gone. If the rows do not ascend, another
   * writer's torn line swallowed the first records, which were written again after the rest; a caller whose records are
   * linked must then append them again. A line of another log is appended as it is; its large parts must be in the same place.
   */
  append(records: readonly (WritableRecord | TakenLine)[], options: LogAppendOptions): Promise<Row[]>

  /** Contract: appends lines read from another log, unchanged. Only for a log that nobody else has yet. */
  copy(lines: Iterable<Uint8Array>): Promise<void>

  /**
   * Takes in what others have appended. Returns how many lines. `must`: throws if it cannot look; that the log was deleted is
   * reported by the append that follows.
   */
  refresh(options?: { must?: boolean }): number
  /** Calls back when others append, until the returned function is called. */
  watch(listener: () => void): () => void

  readonly lease: Lease
  /** Absent: not another agent's session. */
  readonly program?: DrivenProgram

  /**
   * Runs `work` while no other process runs its own: for a move, which is first planned, then recorded. Contract: waits
   * for the others, and takes over from one that died. Throws `session-busy` if it takes too long.
   */
  alone<Value>(work: () => Promise<Value>): Promise<Value>

  /** Why the head cannot go to a row; undefined if it can. Absent: it can go to every entry. */
  refuses?(to: Row): Failure | undefined
  /** Whether another program may be writing to it but this cannot be determined. Absent: it can be. */
  perhapsInUse?(): boolean

  /** Contract: idempotent; nothing can be appended afterwards. */
  close(): Promise<void>
}

/** Who runs a turn in this session. */
export interface Lease {
  /** Takes it, even from a holder that died. Returns the holder if that is another, living process. */
  take(): Promise<{ ok: true } | { ok: false; pid: number }>
  /**
   * Another living holder, or undefined. Cheap. `lingers`: it lets go by itself once the person has closed the session. `drives`: a
   * process of retcon's, which runs another agent's program in it.
   */
  holder(): { pid: number; lingers?: true; drives?: true } | undefined
  release(): Promise<void>
}

/** Which process of ours drives another agent's program in its session. Two programs would write to one file. */
export interface DrivenProgram {
  /** For a turn: as the lease's. Contract: turns of one process may overlap, and each releases it. */
  take: Lease["take"]
  release(): Promise<void>
  /**
   * The program stays open between turns. `letGo` ends it, if another process wants the session meanwhile. Returns what to call when
   * it has ended.
   */
  hold(letGo: () => void): () => void
  /** Asks another process whose program waits for a prompt to end it. Contract: resolves when it has, or has not in a few seconds. */
  free(): Promise<void>
}

/** What a list shows of a session, without reading it. */
export interface SessionSummary extends Omit<LogSummary, "prompts" | "branches"> {
  id: SessionId
  /** The agent whose session it is; absent: retcon's own. */
  agent?: string
  /** That agent's own id for it, and the command that continues it there. */
  name?: string
  resume?: string[]
  /** When that agent removed it, as an ISO time: `file` is a copy. */
  gone?: string
  goneAs?: GoneAs
  /** On the path; null for another agent's session that was never opened here. */
  prompts: number | null
  branches: number | null
  file: string | undefined
  cwd: string
  bytes: number
  from: SessionRecord["from"]
  /** Another living process is running a turn in it. */
  busy?: true
  /** This process is running a turn in it. */
  busyHere?: true
}

export interface ListQuery {
  /** Only sessions of this directory. */
  cwd?: string
  /** Include those of other agents, if the store knows any. */
  agents?: "all"
}

export interface SessionStore {
  /** The folder where it keeps sessions, and snapshots beside them. Absent: it has none. */
  readonly home?: string
  create(header: SessionRecord): Promise<SessionLog>
  /** Contract: writes nothing to the log. Throws `not-found`, `not-a-session`, `format-newer`. */
  open(id: SessionId): Promise<SessionLog>
  /** The sessions of a directory, or all; newest first. Those that cannot be read are left out: `doctor` names them. */
  list(options?: ListQuery): Promise<SessionSummary[]>
  /** Other agents' files and folders that the last list could not read. */
  unreadable?(): readonly UnreadablePlace[]
  /** Contract: the session can be restored until the trash is emptied. */
  remove(id: SessionId): Promise<void>
  /** Deletes a session that was not finished: nobody has seen it. Absent: `remove` does. */
  discard?(id: SessionId): Promise<void>
}

/** Contract: the log of a session that could not be finished is closed and gone, and `error` is what is thrown. */
export async function discarded(
  store: SessionStore,
  log: Pick<SessionLog, "id" | "close">,
  error: unknown,
): Promise<never> {
  try {
    await log.close()
    await (store.discard?.(log.id) ?? store.remove(log.id))
  } catch (second) {
    if (failureOf(second) === undefined) throw second
  }
  throw error
}

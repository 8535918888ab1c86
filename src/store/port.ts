// The port behind every session: a log that only grows, with an index that makes it quick. contract.ts is its suite.
import type { History, Row } from "../history/tree/tree.ts"
import type { Failure } from "../model/failure/failure.ts"
import type { SessionId } from "../model/id.ts"
import type { SessionRecord, WritableRecord } from "../model/record/record.ts"
import type { GoneAs } from "../model/text/gone-words.ts"
import type { LogSummary } from "./log-summary.ts"

export interface LogAppendOptions {
  /** `sync`: resolves once the records survive a power cut. `fast`: once they survive the end of this process. */
  durability: "sync" | "fast"
  /**
   * Called at most once, when everything is written and only the disk has to finish: work done here costs no extra time.
   * It must not throw, and sees the tree without these records. A store may never call it.
   */
  meanwhile?: () => void
}

/** Bytes of a line, as `subarray` takes them. */
export interface LinePart {
  from: number
  to: number
}

export interface SessionLog {
  /** The tree as it is known here. It grows with `append` and `refresh`. */
  readonly history: History
  readonly id: SessionId
  readonly header: SessionRecord
  /** The agent whose session it is, such as `claude-code`; absent: it is one of retcon's own. */
  readonly agent?: string
  /** Whether hooks of that agent can take snapshots of what it does. */
  readonly hooked?: boolean
  /** The command that continues it in that agent. */
  readonly resume?: readonly string[]
  /** When that agent removed it, as an ISO time: what is read is a copy. */
  readonly gone?: string
  /** What became of the agent's file; absent: it was removed. */
  readonly goneAs?: GoneAs
  /**
   * `read-only` when a newer version wrote it, or when it cannot be written. `moves`: the head can move, labels, titles and
   * snapshots can be recorded, and no entries, because another agent writes those.
   */
  readonly access: "full" | "moves" | "read-only"
  /** False: its agent always continues at the end, so the head cannot move after all. Absent: as `access` says. */
  readonly followsMoves?: boolean
  /** Raised when the rows were rebuilt because the log is not what it was: earlier rows mean nothing. */
  readonly generation: number
  /** Where it is, in words that a person can use; undefined if it is only in memory. */
  readonly file: string | undefined

  /** The bytes of a line, without its newline. `part`: only these of them, for a line that may be too long to hold. */
  line(row: Row, part?: LinePart): Uint8Array
  /** The number of a row's line in its file, from 1. Absent: rows are lines. */
  lineNumber?(row: Row): number
  /** Why a row cannot be read; undefined if it can. */
  problem(row: Row): string | undefined
  /** A last line that is no record and has no end: its writer was cut off. It has no row. */
  readonly tornTail?: { length: number } | undefined

  /**
   * Contract: all records, whose ids are new, or a RetconError. They are appended with one write, in this order, and are
   * visible in the tree only once they are as durable as asked. No records: nothing is written. Appends to one log happen
   * one after the other. When another writer was there first, its records come before these. A failure leaves what was
   * there, and the next append works once the cause is gone. Rows that do not ascend: another's torn line swallowed the
   * first records, which were written again behind those that follow them. A caller whose records are linked then appends
   * them again.
   */
  append(records: readonly WritableRecord[], options: LogAppendOptions): Promise<Row[]>

  /** Contract: appends lines that were read from another log, as they are. Only for a log that nobody else has yet. */
  copy(lines: Iterable<Uint8Array>): Promise<void>

  /** Takes in what others have appended. Returns how many lines that was. */
  refresh(): number
  /** Calls back when others append, until the returned function is called. */
  watch(listener: () => void): () => void

  readonly lease: Lease

  /**
   * Runs `work` while no other process runs its `work`: for a move, which is planned and then recorded.
   * Contract: waits for the others, and takes over from one that died. Throws `session-busy` when it takes too long.
   */
  alone<Value>(work: () => Promise<Value>): Promise<Value>

  /** Why the head cannot go to a row; undefined if it can. Absent: it can go to every entry. */
  refuses?(to: Row): Failure | undefined
  /** Whether another program may be writing to it, and nothing tells. Absent: it is known. */
  perhapsInUse?(): boolean

  /** Contract: idempotent; nothing can be appended afterwards. */
  close(): Promise<void>
}

/** Who runs a turn in this session. */
export interface Lease {
  /** Takes it, also from a holder that died. Returns who has it when that is another, living process. */
  take(): Promise<{ ok: true } | { ok: false; pid: number }>
  /** Another living holder, or undefined. Cheap. */
  holder(): { pid: number } | undefined
  release(): Promise<void>
}

/** What a list shows of a session, without reading it. */
export interface SessionSummary extends Omit<LogSummary, "prompts" | "branches"> {
  id: SessionId
  /** The agent whose session it is; absent: it is one of retcon's own. */
  agent?: string
  /** That agent's own name of it, and the command that continues it there. */
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
  /** Another living process runs a turn in it. */
  busy?: true
  /** This process does. */
  busyHere?: true
}

export interface ListQuery {
  /** Only sessions of this directory. */
  cwd?: string
  /** Those of other agents too, where the store knows any. */
  agents?: "all"
}

export interface SessionStore {
  create(header: SessionRecord): Promise<SessionLog>
  /** Contract: writes nothing to the log. Throws `not-found`, `not-a-session`, `format-newer`. */
  open(id: SessionId): Promise<SessionLog>
  /** Sessions of a directory, or of all; newest first. Those that cannot be read are left out: `doctor` names them. */
  list(options?: ListQuery): Promise<SessionSummary[]>
  /** Contract: the session can be brought back until the trash is emptied. */
  remove(id: SessionId): Promise<void>
}

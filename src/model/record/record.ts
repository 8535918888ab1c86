// Every record of the log. docs/format.md is the normative description of how they are written.
import type { EntryId, RecordId, SessionId } from "../id.ts"
import type { Json, JsonObject } from "../json.ts"
import type { Origin, Role } from "./origin.ts"
import type { Part } from "./part.ts"

interface Base {
  id: RecordId
  /** ISO time. */
  at: string
  /** In a log beside another agent's file: the last row of that file when this was written; null: before its first. */
  after?: RecordId | null
}

interface InTree extends Base {
  id: EntryId
  /** The entry this one continues; null for the first of a conversation. */
  parent: EntryId | null
}

/** First line of a log. A reader older than `reads` must refuse; one older than `writes` must not append. */
export interface SessionRecord {
  id: SessionId
  type: "session"
  at: string
  reads: number
  writes: number
  cwd: string
  made: { name: string; version: string }
  /** Where this session was split off, or which entry's task it works on. */
  from?: { session: SessionId; entry: EntryId | null; as: "split" | "task" | "import" }
}

export interface Usage {
  input?: number
  output?: number
  cacheRead?: number
  cacheWrite?: number
}

export interface MessageRecord extends InTree {
  type: "message"
  role: Role
  origin: Origin
  /** With origin `command`: it started a turn, so it is a prompt. */
  turn?: boolean
  content: Part[]
  /** What the person typed, when pastes were expanded in `content`. */
  display?: string
  model?: string
  usage?: Usage
  /** Why the model stopped. */
  stop?: string
  /** Messages with the same `answer` are one message to the model: some agents write an answer in pieces. */
  answer?: string
  /** A vendor's metadata, opaque. */
  meta?: JsonObject
}

export interface CheckpointRecord extends InTree {
  type: "checkpoint"
  n: number
  /** What going back to earlier ones would leave behind, when that was worth saying. Estimated, so it is recorded. */
  leaves?: { n: number; tokens: number }[]
}

/** What a move leaves behind for the model. */
export interface NoteRecord extends InTree {
  type: "note"
  text: string
  /** Facts that the note may have forgotten. */
  facts: string[]
  /** What the person said in what was left, verbatim, oldest first. */
  prompts?: string[]
  /** The checkpoint the agent went back to; absent when a person left a summary. */
  checkpoint?: number
  left: EntryId | null
  /** How many messages the move discards. */
  discards: number
}

export interface CompactionRecord extends InTree {
  type: "compaction"
  summary: string
  /** The person's prompts, kept verbatim. */
  prompts: string[]
  /** The first entry of the kept tail; null keeps none. */
  keepFrom: EntryId | null
  tokens?: { before: number; after: number }
  /** Who asked for it: a person, or the limit of the window. */
  cause: "person" | "threshold" | "overflow"
  focus?: string
  /** Who made the summary, and what that took. */
  model?: string
  usage?: Usage
  /** What the model gets for it, verbatim, when another agent made it. */
  as?: { role: Role; content: Part[] }[]
}

/** A value that follows the path: the last one on the path wins. */
export interface StateRecord extends InTree {
  type: "state"
  key: string
  value: Json
  /** With the key `system`: what else came before the conversation in the requests that follow. */
  with?: SentWith
}

/**
 * What a provider binds its answers to, besides the system prompt. When it changes, the system prompt is recorded
 * again: reasoning in answers before that entry is no longer sent.
 */
export interface SentWith {
  /** provider/name */
  model: string
  /** The tools as they were offered, in order: a digest of each one's description and schema. */
  tools: { name: string; digest: string }[]
  /** The numbers of checkpoints were shown. */
  checkpoints?: true
}

export interface MergeRecord extends InTree {
  type: "merge"
  from: EntryId
  text: string
}

/** An entry of a type that a newer version, or another agent, writes. It stays in the tree and has no meaning here. */
export interface UnknownEntry extends InTree {
  type: "unknown-entry"
  was: string
  /** The agent whose entry it is, such as `claude-code`; absent: a newer retcon's. */
  agent?: string
}

export type OperationKind = "back" | "goto" | "undo" | "redo" | "backtrack" | "retract" | "restore" | "compact" | "omit"

export type Author = "person" | "agent" | "api"

/** Files that moved with an operation: snapshots of the workspace before and after. */
export interface FilesMove {
  from: string
  to: string
  /** The restore's own id: tells after a crash whether it was recorded. */
  restore: string
  /** The files are as they were when this entry was the last one, null: before there was any. */
  entry?: EntryId | null
  /** Or: as they were right before this one. Neither: an undo or redo of what moved files took that back. */
  before?: EntryId
  /** Only these paths; absent when all were. */
  paths?: string[]
  /** Paths that stayed as they were, each in these steps of the restore, counted from 0. */
  kept?: { path: string; steps: number[] }[]
}

/** A recorded move of the head, of files, or of both. */
export interface OperationRecord extends Base {
  type: "operation"
  kind: OperationKind
  by: Author
  head: { from: EntryId | null; to: EntryId | null }
  files?: FilesMove
  /** For undo: the first record of the unit it undoes. For redo: the undo it takes back. */
  undoes?: RecordId
  /** The prompt whose text it gave back, so that a redo gives it back again. */
  prompt?: EntryId
}

/** The state of the files before or after a round or a tool call. */
export interface SnapshotRecord extends Base {
  type: "snapshot"
  snapshot: string
  /** The prompt of the round, or the message that holds the tool call. Null with `call`: the person's own command. */
  entry: EntryId | null
  when: "before" | "after"
  /** The tool call it was taken around; absent for a round's own. */
  call?: string
  /** With `after`: the snapshot before the call, and when that was. The call changed what differs. */
  since?: { snapshot: string; at: string }
  changes?: SnapshotChange[]
  /** Only these paths were looked at; absent: all files. */
  paths?: string[]
  repositories?: { path: string; branch?: string; commit?: string }[]
  hook?: HookNames
}

/**
 * What another agent calls what a snapshot is about, when a hook of that agent took it: a hook knows no entries, so `entry` is
 * null on the line. Whoever reads the session finds the entry (docs/format.md).
 */
export interface HookNames {
  /** The agent's own id of the prompt. */
  prompt?: string
  call?: string
  /** The sub-agent whose call it is: no entry of this session holds it. */
  agent?: string
}

export interface SnapshotChange {
  path: string
  change: string
  /** Changed while a command ran: perhaps by someone else. */
  during?: "command"
}

/** A name for an entry. The last one wins; an empty name removes. */
export interface LabelRecord extends Base {
  type: "label"
  entry: EntryId
  name: string
}

/** The last value of each key wins; null removes. */
export interface ConfigRecord extends Base {
  type: "config"
  key: string
  value: Json
}

/** Written by a newer version. Kept byte for byte, shown as unknown, never dropped. */
export interface UnknownRecord extends Base {
  type: "unknown"
  was: string
}

export type Entry =
  | MessageRecord
  | CheckpointRecord
  | NoteRecord
  | CompactionRecord
  | StateRecord
  | MergeRecord
  | UnknownEntry

export type LogRecord =
  | SessionRecord
  | Entry
  | OperationRecord
  | SnapshotRecord
  | LabelRecord
  | ConfigRecord
  | UnknownRecord

/** What can be written: everything but what we only read. */
export type WritableRecord = Exclude<LogRecord, UnknownEntry | UnknownRecord>

export function isEntry(record: LogRecord): record is Entry {
  return "parent" in record
}

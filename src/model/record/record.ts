// Every record of the log. docs/format.md is the normative description of how they are written.
import type { EntryId, RecordId, SessionId } from "../id.ts"
import { isObject, type Json, type JsonObject } from "../json.ts"
import type { Author, FrontEnd, OperationKind } from "../operation-kind.ts"
import type { Origin, Role } from "./origin.ts"

export type { Author, FrontEnd, OperationKind }

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
  /** Where this session was split off or imported from, or the entry whose task it works on. */
  from?: { session: SessionId; entry: EntryId | null; as: "split" | "task" | "import" | "attempt" }
}

/** Whether it works for another session: for a sub-agent's task, or as an attempt. Lists leave it out. */
export function worksForAnother(from: { as: string } | undefined): boolean {
  return from?.as === "task" || from?.as === "attempt"
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
  /** What the person typed, if pastes were expanded in `content`. */
  display?: string
  model?: string
  usage?: Usage
  /** Why the model stopped. */
  stop?: string
  /** The agent whose session this is sent it once, but leaves it out when it resumes the session: no context has it. */
  dropped?: true
  /**
   * Messages with the same `answer` are one message to the model: some agents write an answer in pieces. Results that have it
   * are sent in the order of its calls.
   */
  answer?: string
  /** A vendor's metadata, opaque. */
  meta?: JsonObject
}

export interface CheckpointRecord extends InTree {
  type: "checkpoint"
  n: number
  /** What going back to earlier checkpoints would leave behind, where that is a lot. An estimate, hence recorded. */
  leaves?: { n: number; tokens: number }[]
}

/** What a move leaves behind for the model. */
export interface NoteRecord extends InTree {
  type: "note"
  text: string
  /** Facts that the note may have omitted. */
  facts: string[]
  /** What the person said in the part that was left, verbatim, oldest first. */
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
  /** A person asked for it, or the context window was (nearly) full. */
  cause: "person" | "threshold" | "overflow"
  focus?: string
  /** Which model wrote the summary, and what that cost. */
  model?: string
  usage?: Usage
  /** What the model gets in its place, verbatim, if another agent made it. */
  as?: { role: Role; content: Part[] }[]
}

/** A value that follows the path: the last one on it wins. */
export interface StateRecord extends InTree {
  type: "state"
  key: string
  value: Json
  /** With the key `system`: what else precedes the conversation in the requests that follow. */
  with?: SentWith
}

/**
 * What a provider binds its answers to, besides the system prompt. When it changes, the system prompt is recorded
 * again, and reasoning in answers before that entry is no longer sent.
 */
export interface SentWith {
  /** provider/name */
  model: string
  /** The tools offered, in order: a digest of each one's description and schema. */
  tools: { name: string; digest: string }[]
  /** Whether the model saw the numbers of checkpoints. */
  checkpoints?: true
}

export interface MergeRecord extends InTree {
  type: "merge"
  /** The end of the branch that it was brought from. */
  from: EntryId
  text: string
  /** What people see in its place. */
  display?: string
}

/** An entry of a type that a newer version, or another agent, writes. It stays in the tree, but means nothing to us. */
export interface UnknownEntry extends InTree {
  type: "unknown-entry"
  was: string
  /** The agent whose entry it is, such as `claude-code`; absent: a newer version of retcon. */
  agent?: string
  /** The agent's bookkeeping, or what it tells its model about itself: nothing of the conversation. */
  own?: true
}

/** Files that moved with an operation: snapshots of the workspace before and after, equal if there was nothing to do. */
export interface FilesMove {
  from: string
  to: string
  /** The restore's own id: shows after a crash whether it was recorded. */
  restore: string
  /** The files are as they were when this entry was the last one; null: before there was any. */
  entry?: EntryId | null
  /** Or: as they were right before this record. Neither: an undo or redo reversed an operation that moved files. */
  before?: RecordId
  /** Only these paths moved; absent: all. */
  paths?: string[]
  /** Paths that stayed as they were, each with the steps of the restore in which it did, counted from 0. */
  kept?: { path: string; steps: number[] }[]
}

/** A recorded move of the head, of files, or of both. */
export interface OperationRecord extends Base {
  type: "operation"
  kind: OperationKind
  by: Author
  /** Absent: unknown. A newer version may write others. */
  via?: FrontEnd
  head: { from: EntryId | null; to: EntryId | null }
  files?: FilesMove
  /** For undo: the first record of the unit it undoes. For redo: the undo it takes back. */
  undoes?: RecordId
  /** The prompt whose text it gave back; a redo gives it back again. */
  prompt?: EntryId
  /** The first of the lines before it that were taken in from another log: they moved nothing here. */
  takes?: EntryId
}

/** The state of the files before or after a round or a tool call. */
export interface SnapshotRecord extends Base {
  type: "snapshot"
  snapshot: string
  /** The prompt of the round, or the message with the tool call. Null with `call`: the person's own command. */
  entry: EntryId | null
  when: "before" | "after"
  /** The tool call it was taken around; absent: it was taken around a round. */
  call?: string
  /** With `after`: the snapshot before the call, and its time. The call changed whatever differs. */
  since?: { snapshot: string; at: string }
  changes?: SnapshotChange[]
  /** Only these paths were examined; absent: all files. */
  paths?: string[]
  repositories?: { path: string; branch?: string; commit?: string }[]
  hook?: HookNames
}

/**
 * A hook's names for what a snapshot is about, when another agent's hook took it: hooks do not know entries, so `entry`
 * is null on the line. A reader of the session finds the entry (docs/format.md).
 */
export interface HookNames {
  /** The agent's own id for the prompt. */
  prompt?: string
  call?: string
  /** The sub-agent whose call it is: no entry of this session contains that call. */
  agent?: string
}

export interface SnapshotChange {
  path: string
  change: string
  /** Changed while a command ran, and there is a reason to think that someone else did. */
  during?: "command"
}

/** A name for an entry. The last one wins; an empty name removes it. */
export interface LabelRecord extends Base {
  type: "label"
  entry: EntryId
  name: string
}

/** The last value of each key wins; null removes the key. */
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

/** All records that we may write: those of unknown type can only be read. */
export type WritableRecord = Exclude<LogRecord, UnknownEntry | UnknownRecord>

/** A line of another log, to be appended as it is. */
export interface TakenLine {
  id: RecordId
  /** Without its newline. */
  line: Uint8Array
}

export function isTaken(record: WritableRecord | TakenLine): record is TakenLine {
  return "line" in record
}

export function isEntry(record: LogRecord): record is Entry {
  return "parent" in record
}

/** Where the content of a large part is: in the blob folder, named by its hash. */
export interface BlobRef {
  /** `sha256-` and 64 hex digits. */
  hash: string
  bytes: number
  /** Which field of the part was moved to the blob. */
  field: "text" | "data" | "output"
}

interface PartBase {
  /** Set in the log when the part is stored as a blob; the field it names is then absent there. */
  blob?: BlobRef
  /** Must be sent back to the provider with this part. Opaque to retcon. */
  meta?: JsonObject
}

/** A model's request to run a tool. */
export type ToolCallPart = PartBase & { type: "tool-call"; call: string; name: string; input: Json }

/** What a tool answered; `call` is the id of the tool call. */
export type ToolResultPart = PartBase & {
  type: "tool-result"
  call: string
  name?: string
  output: string
  /** In another agent's session: that agent may send only the beginning and the end of the output. */
  cut?: true
  error?: true
  media?: Part[]
}

export type Part =
  | (PartBase & { type: "text"; text: string })
  | (PartBase & { type: "image"; mediaType: string; data: string })
  | (PartBase & { type: "file"; mediaType: string; data: string; name?: string })
  | (PartBase & { type: "reasoning"; text: string })
  | ToolCallPart
  | ToolResultPart
  /** Written by a newer version, or by another agent. Kept as it is. */
  | { type: "unknown"; raw: JsonObject }

const listOrNone = (value: unknown) => value === undefined || Array.isArray(value)
const objectOrNone = (value: unknown) => value === undefined || isObject(value)
const text = (value: unknown): value is string => typeof value === "string"

type Shape = (value: JsonObject, has: (field: string) => boolean) => boolean

const SHAPES = new Map<string, Shape>([
  ["text", (_, has) => has("text")],
  ["reasoning", (_, has) => has("text")],
  ["image", (value, has) => text(value.mediaType) && has("data")],
  ["file", (value, has) => text(value.mediaType) && has("data")],
  ["tool-call", (value) => text(value.call) && text(value.name) && value.input !== undefined],
  ["tool-result", (value, has) => text(value.call) && has("output") && listOrNone(value.media)],
])

/**
 * The content of a message: a list of parts. A part of an unknown kind is kept as it is. A part from a record. A known
 * part with a wrong shape is kept as unknown, never dropped.
 */
export function parsePart(value: Json): Part {
  if (!isObject(value)) return { type: "unknown", raw: { value } }
  const moved = isObject(value.blob) ? value.blob.field : undefined
  const has = (field: string) => text(value[field]) || moved === field
  const shape = typeof value.type === "string" ? SHAPES.get(value.type) : undefined
  const fits = shape?.(value, has) === true && objectOrNone(value.meta) && objectOrNone(value.blob)
  if (!fits) return { type: "unknown", raw: value }
  return (Array.isArray(value.media) ? { ...value, media: value.media.map(parsePart) } : value) as unknown as Part
}

export function printPart(part: Part): JsonObject {
  if (part.type === "unknown") return part.raw
  if (part.type !== "tool-result" || part.media === undefined) return part as unknown as JsonObject
  return { ...part, media: part.media.map(printPart) } as unknown as JsonObject
}

/** The text of these parts that a person reads: no reasoning, no tool calls or results. */
export function plainText(parts: readonly Part[]): string {
  const texts: string[] = []
  for (const part of parts) if (part.type === "text" && part.text !== undefined) texts.push(part.text)
  return texts.join("\n")
}

/** What a line of the log is, as one small number. Rows of an index store these numbers, so they never change. */
export const KIND = {
  blank: 0,
  damaged: 1,
  session: 2,
  message: 3,
  checkpoint: 4,
  note: 5,
  compaction: 6,
  state: 7,
  merge: 8,
  unknownEntry: 9,
  operation: 10,
  snapshot: 11,
  label: 12,
  config: 13,
  unknown: 14,
  /** A later line of another agent's file that gives an entry a new body. The row's `unit` is that entry. */
  amendment: 15,
} as const

export type Kind = (typeof KIND)[keyof typeof KIND]

/** Whether a row of this kind is in the tree. */
export function isEntryKind(kind: number): boolean {
  return kind >= KIND.message && kind <= KIND.unknownEntry
}

const BY_TYPE = new Map<string, Kind>([
  ["session", KIND.session],
  ["message", KIND.message],
  ["checkpoint", KIND.checkpoint],
  ["note", KIND.note],
  ["compaction", KIND.compaction],
  ["state", KIND.state],
  ["merge", KIND.merge],
  ["unknown-entry", KIND.unknownEntry],
  ["operation", KIND.operation],
  ["snapshot", KIND.snapshot],
  ["label", KIND.label],
  ["config", KIND.config],
  ["unknown", KIND.unknown],
])

export function kindOf(type: string): Kind {
  return BY_TYPE.get(type) ?? KIND.unknown
}

/** The types that this version writes to a log, by the word on the line. */
export const WRITTEN_TYPES: readonly [string, Kind][] = [...BY_TYPE].filter(
  ([, kind]) => kind !== KIND.unknown && kind !== KIND.unknownEntry,
)

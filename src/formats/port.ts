// What one agent's format must tell. src/foreign makes a session log of it. test/formats/contract.ts is its suite.
import type { Rows } from "../history/rows/rows.ts"
import type { History, Row } from "../history/tree/tree.ts"
import type { Advice } from "../model/failure/advice.ts"
import type { EntryId, SessionId } from "../model/id.ts"
import type { Json } from "../model/json.ts"
import type { Origin, Role } from "../model/record/origin.ts"
import type { Entry, LogRecord, OperationRecord, SessionRecord } from "../model/record/record.ts"

export const AGENTS = [
  "claude-code",
  "codex",
  "gemini-cli",
  "kimi-cli",
  "kimi-code",
  "klaude-code",
  "neovate",
  "opencode",
  "pi",
] as const

export type AgentName = (typeof AGENTS)[number]

/** Where agents keep their sessions: from the environment, read by the command line and passed in. */
export interface AgentHomes {
  home: string
  env: Readonly<Record<string, string | undefined>>
}

/** A session on disk, before anything of it was read. */
export interface SessionPlace {
  /** The file, or the folder, that a person would name. */
  path: string
  /** The file that grows when the session does: its size and time tell whether what a catalogue knows still holds. */
  main: string
  /** One of several sessions in that file, by the agent's own name. */
  within?: string
}

/** What a list shows of a session, from a few bytes of it. */
export interface Glance {
  /** The agent's own name of it, such as a UUID, eight hex digits or `session_…`. */
  name: string
  /** The same id that `Opened.id` has. */
  id: SessionId
  cwd: string | undefined
  /** What the agent calls it, or its first prompt, where that is in these bytes. */
  title: string | undefined
  /** ISO time of the last message, where that is known better than by the time of the file. */
  updated?: string
  /** The session it was split off from, or whose task it works on, by that agent's own name. */
  from?: { name: string; as: "task" | "split" }
}

/** Bytes of a session for `glance`. */
export interface Look {
  /** The first 4 KB of `main`. */
  head: Buffer
  /** The last 4 KB of it; all of it when it is no longer. */
  tail: Buffer
  /** Up to 64 KB of another file, such as one beside it with a title; undefined when there is none. */
  read: (path: string) => Buffer | undefined
}

/** A file that rows point into. Contract: a number, from 0 to 250, means the same file for as long as an index is used. */
export interface Source {
  number: number
  file: string
  /**
   * `grows`: lines are appended. `rewritten`: all rows are created again when it changes in any other way. `whole`: lines are
   * appended, and what they mean depends on all before them, so an index is used only while the file has not grown.
   */
  how: "grows" | "rewritten" | "whole"
  /** Only the bytes before this belong to the session: the rest is another one's. */
  upTo?: number
  /** What stands for its bytes, as lines, where the file itself is no text of lines. Called again after each change. */
  load?: () => Buffer
}

/** Where the bytes of a row are: a line, or a part of one. */
export interface Span {
  source: number
  offset: number
  length: number
}

/** One entry of a session. */
export interface ScannedEntry {
  /** Its id as four words: see `ids.ts`. */
  id: Uint32Array
  /** NONE for the first of a conversation. */
  parent: Row
  /** It names a parent that is not there. */
  lost?: boolean
  kind: "message" | "compaction" | "note" | "state" | "checkpoint" | "other"
  /** Of a message. */
  role?: Role
  origin?: Origin
  /** With origin `command`: it started a turn, so it is a prompt. */
  turn?: boolean
  /** A state that holds the system prompt. */
  system?: boolean
  /** The scanner has looked, and no row has this id: it need not be looked for again. */
  fresh?: boolean
  /** False: an entry that stands aside, and the agent does not continue from. By default the head goes there. */
  movesHead?: boolean
  span: Span
}

/**
 * What a scanner tells. Each call adds one row behind the last one. A parent is a row, because the scanner has looked it up:
 * behind a marker it is where that went, and pieces of one answer stand one behind the other.
 */
export interface Sink {
  readonly rows: Rows
  entry(entry: ScannedEntry): Row
  /** The file itself moves the head: a rewind of the agent, of another program, or ours. `id`: words, as an entry's. */
  move(move: { id: Uint32Array; to: Row; span: Span }): Row
  /** A later line gives an entry another body: `record` is asked with these bytes from now on. */
  amend(entry: Row, span: Span): Row
  /** A title (config) or a label: what `record` answers for it says which. */
  aside(aside: { id: Uint32Array; kind: "config" | "label"; span: Span }): Row
  /** A line that cannot be read. */
  damaged(span: Span): Row
  /** The last row from before a place in a source; NONE when there is none. Costs a look at the rows behind it. */
  rowBefore(source: number, offset: number): Row
  /** What we know of an operation of our own, by the id that its marker carries. */
  ours(id: string): OperationRecord | undefined
}

export interface Scanner {
  /**
   * Contract: lines of each source in order, each once, without the newline: `bytes` from `start` to `end`, valid only now.
   * Blank lines, and those too long to read, do not come here.
   */
  line(bytes: Buffer, start: number, end: number, span: Span): void
  /** What the meaning of the next line depends on, besides the rows. Small: it is kept with the index. */
  state(): Json
  /** Where the program itself would continue; undefined: where the replay of the rows ends. NONE: at the beginning. */
  head(): Row | undefined
  /**
   * What to append to one source so that the program continues from an entry. Absent: it follows nothing that is appended, and
   * a session can only be split. Contract: changes nothing; the lines, once scanned, make a row with the operation's id.
   */
  move?(request: MoveAsked): AppendedMove
}

export interface MoveAsked extends Reading {
  /** An entry; NONE for before the first one. */
  to: Row
  /** Its id must be in the lines: it tells later that the move is ours. */
  operation: OperationRecord
  /** The last line has no end: a program died while it wrote it. It is ended before lines are appended. */
  torn: boolean
}

/** `lands`: where the program then continues: `to`, or an entry above it that stands for the same conversation. */
export type AppendedMove =
  | { ok: true; source: number; lines: string[]; lands: Row }
  | { ok: false; problem: string; advice: Advice }

/** How records are read. `read` gives the bytes of other rows: of an entry with another body, that one. */
export interface Reading {
  history: History & Rows
  read: (row: Row) => Buffer
  /** The bytes that an entry came with, whatever body it got later. */
  original: (row: Row) => Buffer
}

/** Files as the agent keeps them. */
export interface FileHistory {
  /** What they held right before a prompt. Null: the file was not there. */
  before(prompt: EntryId): Promise<{ path: string; bytes: () => Promise<Uint8Array | null> }[]>
  readonly reaches: "tool edits" | "everything"
}

/** A session that is open: its files, and what their bytes mean. */
export interface Opened {
  readonly id: SessionId
  /** The agent's own name of it. */
  readonly name: string
  readonly header: SessionRecord
  /** Contract: in the order in which they are scanned. Asked again when the session is refreshed. */
  sources(): Source[]
  scanner(sink: Sink, state: Json | undefined): Scanner
  /**
   * The record of a row, from its bytes. Contract: pure; its `id` and `parent` are those of the row; undefined for bytes that
   * do not say what the row says.
   */
  record(row: Row, bytes: Buffer, reading: Reading): LogRecord | undefined
  /** Why a row is what it is, in a few words, for `doctor`: the field or the text that decided it. */
  why(row: Row, bytes: Buffer): string
  /** Who works on it now. `unknown`: this agent leaves no trace of that. */
  holder(): { pid: number } | undefined | "unknown"
  fileHistory?(): FileHistory
  /**
   * What the agent tells its hooks of what is on a line: snapshots that they took are found by it. Absent: it has no hooks.
   * Contract: pure. `isWanted` says of an id whether a snapshot waits for it.
   */
  hookNames?(bytes: Buffer, isWanted: (id: string) => boolean): LineHookNames | undefined
}

/** The ids by which an agent's hooks name what is on a line. */
export interface LineHookNames {
  /** Of the prompt whose round the line is of. */
  prompt?: string
  calls: readonly string[]
}

/** A native session that begins as these entries. */
export interface WriteRequest {
  /** A path of the tree, the first entry first. */
  entries: Iterable<Entry>
  cwd: string
  homes: AgentHomes
  title: string | undefined
  /** ISO time of now. */
  now: string
  newId: () => string
}

export interface Written {
  files: { path: string; bytes: Uint8Array }[]
  resume: string[]
  /** What the format cannot hold. */
  lost: { entry: EntryId; what: string }[]
}

/** A session as a file of its own, which the same format reads. */
export interface Exported {
  /** Where `Format.find` would find it. Its agent has no such file. */
  file: string
  /** Milliseconds: when the agent last noted a change of it. */
  updated: number
  /** Throws a RetconError when it cannot be read. */
  bytes: () => Buffer
}

export interface Format {
  readonly agent: AgentName
  /** Contract: lists folders and opens nothing but a file of several sessions; never follows a link out of the agent's folder; yields sorted by folder. */
  find(homes: AgentHomes): Iterable<SessionPlace>
  /** Undefined: it is no session, such as an empty file. Contract: reads nothing but what `look` gives, and a file of several sessions. */
  glance(place: SessionPlace, look: Look): Glance | undefined
  /** Whether this is a session of the agent: from the path and the first 64 KB of a file; for a folder, its names. */
  detect(at: { path: string; head: Buffer | undefined; names: readonly string[] | undefined }): SessionPlace | undefined
  open(place: SessionPlace): Promise<Opened>
  /**
   * Files besides `main` without which the session could not be read again as it is now, or not be continued: earlier parts,
   * those of its sub-agents, results, titles. Absent: there are none. Contract: as `find`; all are in the agent's folder.
   */
  files?(place: SessionPlace): Iterable<string>
  /** Of a session that is one of several in a file: what a copy of it is. Undefined for any other; absent: there are none. */
  exported?(place: SessionPlace, homes: AgentHomes): Exported | undefined
  /** The command by which its program takes a copy in, where only that program can put it back. Undefined for any other copy. */
  takeIn?(copy: SessionPlace): string[] | undefined
  /**
   * After how many days without use the agent removes a session, when it is started in `cwd`, and where those are. Absent: it
   * removes none. Contract: reads nothing but its settings.
   */
  cleanUp?(homes: AgentHomes, cwd: string): { days: number; folder: string }
  /** The command that continues it in its own program, from the session's folder. `name`: the agent's own name of it. */
  resume(place: SessionPlace, name: string): string[]
  /** The folders in which the agent keeps its own files. What retcon writes for it goes nowhere else. Needed with `write`. */
  folders?(homes: AgentHomes): string[]
  /** Absent: nothing can be written for it. */
  write?(request: WriteRequest): Promise<Written>
}

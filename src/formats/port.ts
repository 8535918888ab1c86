// The port that every agent's format implements. src/foreign turns it into a session log; test/formats/contract.ts is its suite.
import type { SaidCall, SaidFile } from "../history/files/said-calls.ts"
import type { Rows } from "../history/rows/rows.ts"
import type { History, Row } from "../history/tree/tree.ts"
import type { Advice } from "../model/failure/failure.ts"
import type { EntryId, SessionId } from "../model/id.ts"
import type { Json, JsonObject } from "../model/json.ts"
import type { LineMarks } from "../model/line-marks.ts"
import type { Origin, Role } from "../model/record/origin.ts"
import type { Entry, LogRecord, OperationRecord, SessionRecord, ToolCallPart, Usage } from "../model/record/record.ts"

/** As in the list of `all/formats.ts`. */
export type AgentName = string

/** Where agents keep their sessions. The command line reads the environment and passes it in. */
export interface AgentHomes {
  home: string
  env: Readonly<Record<string, string | undefined>>
}

/** A session on disk that has not been read yet. */
export interface SessionPlace {
  /** The file or folder that a person would name. */
  path: string
  /** The file that grows with the session. Its size and time show whether a catalogue is still up to date. */
  main: string
  /** The agent's own name for the session, if the file contains several. */
  within?: string
}

/** What a list shows about a session, from a few bytes of it. */
export interface Glance {
  /** The agent's own name for it, such as a UUID, eight hex digits or `session_…`. */
  name: string
  /** The same id as `Opened.id`. */
  id: SessionId
  cwd: string | undefined
  /** The agent's title for it, or its first prompt, if that is in these bytes. */
  title: string | undefined
  /** ISO time of the last message, if it is known better than from the file's time. */
  updated?: string
  /** The session it was split off from or whose task it works on, by the agent's own name. */
  from?: { name: string; as: "task" | "split" }
}

/** Bytes of a session for `glance`. */
export interface GlanceInput {
  /** The first 4 KB of `main`. */
  head: Buffer
  /** The last 4 KB of it, or all of it if it is shorter. */
  tail: Buffer
  /** Reads up to 64 KB of another file, such as one beside it with a title; undefined if there is none. */
  read: (path: string) => Buffer | undefined
}

/** A file that rows point into. Contract: a number, from 0 to 250, means the same file for as long as an index is valid. */
export interface Source {
  number: number
  file: string
  /**
   * `grows`: lines are appended. `rewritten`: the file may change in other ways, and then all rows are rebuilt. `whole`: lines are
   * appended, but their meaning depends on all lines before, so an index is valid only until the file grows.
   */
  how: "grows" | "rewritten" | "whole"
  /** Only the bytes before this offset belong to the session; the rest belongs to another. */
  upTo?: number
  /** Returns lines to scan instead, for a file that is not text in lines. Called again after each change. */
  load?: () => Buffer
}

/** Where the bytes of a row are: a line or a part of one. */
export interface Span {
  source: number
  offset: number
  length: number
}

/** One entry of a session. */
export interface ScannedEntry {
  /** Its id as four words: see `ids.ts`. */
  id: Uint32Array
  /** NONE for the first entry of a conversation. */
  parent: Row
  /** It names a parent that does not exist. */
  lost?: boolean
  kind: "message" | "compaction" | "note" | "state" | "checkpoint" | "other"
  /** For a message. */
  role?: Role
  origin?: Origin
  /** With origin `command`: it started a turn, so it is a prompt. */
  turn?: boolean
  /** A state record with the system prompt. */
  system?: boolean
  /** The scanner knows that no row has this id, so there is no need to look for one. */
  fresh?: boolean
  /** False for an entry off the path, which the agent does not continue from. By default the head moves to each entry. */
  movesHead?: boolean
  span: Span
}

/**
 * What a scanner reports to. Each call adds one row after the last. A parent is given as a row, because only the
 * scanner can determine it: after a rewind marker it is the marker's target, and the pieces of one answer form a chain.
 */
export interface Sink {
  readonly rows: Rows
  entry(entry: ScannedEntry): Row
  /** The file itself moves the head: a rewind by the agent, by another program, or by us. `id`: as for an entry. */
  move(move: { id: Uint32Array; to: Row; span: Span }): Row
  /** A later line replaces an entry's body: from now on `record` gets these bytes. */
  amend(entry: Row, span: Span): Row
  /** A title (config) or a label; what `record` returns for it shows which. */
  aside(aside: { id: Uint32Array; kind: "config" | "label"; span: Span }): Row
  /** A line that cannot be read. */
  damaged(span: Span): Row
  /** The last row before an offset in a source, or NONE. Takes time in proportion to the rows after it. */
  rowBefore(source: number, offset: number): Row
  /** Our own operation with the id in a marker, if we have it. */
  ours(id: string): OperationRecord | undefined
}

/** How a person goes back in a session. Absent if no appended line can do that: it can then only be split. */
export interface Moving {
  /**
   * The lines to append to one source so that the program continues from an entry. Contract: changes nothing; the lines, once
   * scanned, make a row with the operation's id.
   */
  move(request: MoveAsked): AppendedMove
}

export interface Scanner extends Partial<Moving> {
  /**
   * Contract: called with the lines of each source in order, each once, without the newline: `bytes` from `start` to `end`, valid
   * only during the call. Blank lines and lines too long to read are left out.
   */
  line(bytes: Buffer, start: number, end: number, span: Span): void
  /** What the meaning of the next line depends on besides the rows. Must be small, because it is stored with the index. */
  state(): Json
  /** Where the program itself would continue; undefined: where the replay of the rows ends; NONE: at the beginning. */
  head(): Row | undefined
}

export interface MoveAsked extends Reading {
  /** An entry; NONE for the empty conversation. */
  to: Row
  /** Its id must be in the lines, to recognise the move as ours later. */
  operation: OperationRecord
  /** The last line is unterminated, because a program died while writing it. It is terminated before lines are appended. */
  torn: boolean
}

/** `lands`: where the program then continues: `to`, or an entry above it with the same conversation. */
export type AppendedMove =
  | { ok: true; source: number; lines: string[]; lands: Row }
  | { ok: false; problem: string; advice: Advice }

/** Access to other rows while reading a record. `read` returns a row's bytes: those of its latest body, if that was replaced. */
export interface Reading {
  history: History & Rows
  read: (row: Row) => Buffer
  /** The bytes of an entry's first body, whatever replaced it later. */
  original: (row: Row) => Buffer
}

/** The copies of files that the agent itself keeps. */
export interface FileHistory {
  /** The files' content right before a prompt. Null: the file did not exist. */
  before(prompt: EntryId): Promise<{ path: string; bytes: () => Promise<Uint8Array | null> }[]>
  readonly reaches: "tool edits" | "everything"
  /** Commits that a wrapper around the agent recorded, by the prompt's position in the file, from 0. */
  readonly commits?: { by: string; ofPrompts: ReadonlyMap<number, PromptCommits> }
}

/**
 * The files that a call changed; a path is absolute, or relative to the session's folder. `elseNone`: the agent names files only
 * if there are any, so none were changed if it names those of another call of this tool, in the same `version`. `at`: when the call ended, in ISO format,
 * if the agent may repeat its result later.
 */
export interface SaidFiles {
  files: readonly SaidFile[]
  elseNone?: true
  version?: string
  at?: string
}

/** A repository's commit when a prompt was sent, and after its round. */
export interface PromptCommits {
  before: string
  after?: string
}

/** What the agent's own files say of what its calls changed. */
export interface Telling {
  fileHistory(): FileHistory
  /** What a line with a call's result says that the call changed. Undefined: nothing. Contract: pure. */
  said(call: ToolCallPart, line: Buffer): SaidFiles | undefined
  /** The same for calls that ended after a time, in milliseconds, from other lines, or from sub-agents' own files. Only with `said`. */
  saidBeside(since: number): Omit<SaidCall, "row">[]
}

/** Which entries the snapshots of the agent's hooks belong to, and those that retcon takes while it drives the agent's program. */
export interface HookNaming {
  /** The ids that the agent's hooks get for what is on a line, to match their snapshots with entries. Contract: pure. */
  hookNames(bytes: Buffer, wanted: WantedHooks): LineHookNames | undefined
  /** It has no hooks: only retcon's own snapshots are matched, by the ids of calls. */
  unhooked?: true
  /** The id, on the line of its answer, of the call that hooks know by this name. Absent if hooks get the id itself. */
  hookCall?(bytes: Buffer, name: string): string | undefined
}

/** An open session: its files, and what their bytes mean. */
export interface Opened extends Partial<Telling>, Partial<HookNaming> {
  readonly id: SessionId
  /** The agent's own name for it. */
  readonly name: string
  readonly header: SessionRecord
  /** Contract: in the order to scan them. Called again on every refresh. */
  sources(): Source[]
  scanner(sink: Sink, state: Json | undefined): Scanner
  /**
   * The record of a row, from its bytes. Contract: pure; `id` and `parent` are the row's; undefined if the bytes do not match the
   * row. `bytes` are valid only until `reading` is asked for others.
   */
  record(row: Row, bytes: Buffer, reading: Reading): LogRecord | undefined
  /** Why a row was classified as it was, in a few words for `doctor`: the field or the text that decided it. */
  why(row: Row, bytes: Buffer): string
  /** What the agent calls it, if that is in a file beside those that are scanned. */
  readonly title?: string | undefined
  /**
   * The process working in it now. `lingers`: the agent's own background process, which lets go of a session by itself some time
   * after the person has closed it. `unknown`: this agent leaves no trace of that.
   */
  holder(): { pid: number; lingers?: true } | undefined | "unknown"
}

/** What the hooks' snapshots wait for. */
export interface WantedHooks {
  isWanted: (id: string) => boolean
  /** For names derived from a hook's input (`digest-name.ts`): the last one up to a time in milliseconds, leaving out `but`. */
  lastTold: (digest: string, until: number, but?: readonly string[]) => string | undefined
}

/** The ids that an agent's hooks use for what is on a line. */
export interface LineHookNames {
  /** The prompt whose round the line belongs to. */
  prompt?: string
  calls: readonly string[]
  /** The sub-agent that was started, by the name that its own hooks give. Absent if they name the prompt that started it. */
  started?: string
}

/** A session to create in the agent's own format, beginning with these entries. */
export interface WriteRequest {
  /** A path of the tree, from the root. */
  entries: Iterable<Entry>
  cwd: string
  homes: AgentHomes
  title: string | undefined
  /** The present time, in ISO format. */
  now: string
  newId: () => string
}

export interface Written {
  files: { path: string; bytes: Uint8Array }[]
  resume: string[]
  /** What the format cannot express. */
  lost: { entry: EntryId; what: string }[]
}

/** A session exported to a separate file, which the same format can read. */
export interface Exported {
  /** Where `Format.find` would find it. The agent itself has no such file. */
  file: string
  /** When the agent last recorded a change to it, in milliseconds. */
  updated: number
  /** Throws RetconError if it cannot be read. */
  bytes: () => Buffer
}

/** The lines that name a session, in a file whose lines are JSON. */
export interface TitleLines {
  /** Text that each such line contains, at least one of them. */
  marks: readonly string[]
  /** The highest rank wins; of equal ones the last. */
  read: (line: JsonObject) => { text: string; rank: number } | undefined
}

/** What copies of a session consist of, and how they come back. Each part is absent where the agent needs none. */
export interface CopyKeeping {
  /**
   * The files besides `main` that are needed to read or continue the session: earlier parts, sub-agents' files, results, titles.
   * Absent if there are none. Contract: as for `find`; all are in the agent's folder.
   */
  files(place: SessionPlace): Iterable<string>
  /** How to copy a session that shares its file with others. Undefined for any other session; absent if there are none. */
  exported(place: SessionPlace, homes: AgentHomes): Exported | undefined
  /** The command that imports a copy, if only the agent's own program can restore it. Undefined for any other copy. */
  takeIn(copy: SessionPlace): string[] | undefined
  /**
   * The bytes of a copy as those of a new session with this name: its program would mix a copy with a session that it still has.
   * Absent if `takeIn` is. Undefined for any other copy.
   */
  underOtherIds(copy: Buffer): { name: string; bytes: Buffer } | undefined
  /**
   * After how many days without use the agent, when started in `cwd`, removes a session, and the folder concerned.
   * Absent: it removes none. Contract: reads nothing but its settings.
   */
  cleanUp(homes: AgentHomes, cwd: string): { days: number; folder: string }
  /**
   * The same homes with a folder from the agent's settings put into the environment variable for it, because the settings are not
   * among the copies. Absent if there is no such setting.
   */
  settled(homes: AgentHomes): AgentHomes
}

/** Absent if retcon cannot create sessions for the agent. */
export interface Writing {
  /** The folders where the agent keeps its own files. retcon writes nowhere else for it. */
  folders(homes: AgentHomes): string[]
  write(request: WriteRequest): Promise<Written>
}

/** A request to a model, as the agent's own files tell of it. */
export interface ToldRequest {
  /** The same wherever the request is told again: in pieces of its answer, and in copies of the session. */
  key: string
  /** Milliseconds. */
  at: number
  model: string
  usage: Usage
}

/** Reads the requests of one session, without opening it. */
export interface RequestReader {
  /** The session's own files, in order. */
  files: readonly string[]
  /** Of several with one key, the one with the most output counts. Contract: called with each line that has a mark, in order. */
  line(line: JsonObject): ToldRequest | undefined
}

/** RequestTelling without opening sessions, which may be thousands. Absent: they are opened, and the records have the usage. */
export interface RequestTelling {
  /** Every line that matters here contains one of these texts. */
  readonly requestMarks: readonly string[]
  /** `root`: the key of the oldest session that a session of this name was copied from, or its own. */
  requests(place: SessionPlace, root: (name: string) => string): RequestReader
}

/** Reading is all that a format must do. */
export interface Format extends Partial<CopyKeeping>, Partial<Writing>, Partial<RequestTelling> {
  readonly agent: AgentName
  /**
   * Contract: lists folders, opens only files that contain several sessions, never follows a link out of the agent's
   * folder, and yields the places sorted by folder.
   */
  find(homes: AgentHomes): Iterable<SessionPlace>
  /**
   * Undefined if it is not a session, such as an empty file. Contract: reads only what `look` provides, and files that
   * contain several sessions.
   */
  glance(place: SessionPlace, look: GlanceInput): Glance | undefined
  /** For a search, which parses no line that it does not show. Absent: the usual ones. */
  readonly lineMarks?: LineMarks
  /** Titles that may be in the middle of `main`. Absent if they are at its ends, or in another file. */
  readonly titles?: TitleLines
  /** Recognises a session of the agent by its path and the first 64 KB of the file; for a folder, by the names in it. */
  detect(at: { path: string; head: Buffer | undefined; names: readonly string[] | undefined }): SessionPlace | undefined
  open(place: SessionPlace): Promise<Opened>
  /**
   * The command that continues it in its own program, from the session's folder. `name`: the agent's own name for it.
   */
  resume(place: SessionPlace, name: string): string[]
}

/** A format that is loaded when somebody asks for it. */
export interface KnownFormat {
  readonly agent: AgentName
  /** The folder in a person's home that its agent creates. */
  readonly folder: string
  /** Other such folders, such as an editor's: one of them is enough. */
  readonly others?: readonly string[]
  /** What puts its sessions elsewhere: the agent may be here if one of these is set. */
  readonly variables: readonly string[]
  /** Whether it has a `write`: retcon can create sessions for it. */
  readonly creates: boolean
  load(): Promise<Format>
}

// The Library port: what can be asked of all sessions on this machine, the same in process and over HTTP.
import type { EntryId, SessionId } from "../model/id.ts"
import type { Spending } from "../model/spending.ts"
import type { UnreadablePlace } from "../model/text/unreadable-words.ts"
import type { FoundProblem } from "./shapes.ts"

/** What a caller may pass to an operation that can take long. */
export interface Job {
  /** Called with the share that is done; it may take its time. */
  tick?: (share: number) => Promise<void>
  /** Told of a session that a search has found, before the search is done. In no order. */
  found?: (session: SessionId) => void
  /** Contract: work that only reads ends soon after it aborts; what it returns then is incomplete. */
  signal?: AbortSignal
}

/** A session by its id, or by its file: a copy elsewhere has the same id. */
export type SessionAt = SessionId | { path: string }

export interface Library {
  /** The agents whose sessions retcon can begin and continue with their own programs, those that are installed first. */
  agents(request: { cwd: string }, job?: Job): Promise<AgentHere[]>
  /** Searches all branches of all sessions, best first. Throws `invalid` for a filter that cannot be. */
  find(query: FindQuery, job?: Job): Promise<FindAnswer>
  /** Requests, tokens and money of all sessions of every agent, each request counted once. */
  usage(query: UsageQuery, job?: Job): Promise<UsageAnswer>
  /** The same of a session with its sub-agents, and of its directory. */
  cost(request: { session: SessionAt }, job?: Job): Promise<CostAnswer>
  /** What the agents changed, over all sessions: the newest first. */
  edits(query: EditsQuery, job?: Job): Promise<EditsAnswer>
  /**
   * Who wrote a line, or made a commit, and what they were asked. Contract: `recorded` only where snapshots or an agent's own notes show
   * it. Throws `not-found`, `invalid`.
   */
  why(request: WhyRequest, job?: Job): Promise<WhyAnswer>
  /**
   * Who wrote each line of a file. Contract: opens only sessions that mention the file's name. Throws `not-found` if there is no such
   * file now, `no-session`, `invalid`.
   */
  blame(request: BlameRequest, job?: Job): Promise<BlameAnswer>
  /** What is wrong with sessions, and what is no longer safe. */
  examine(request: ExamineRequest, job?: Job): Promise<ExamineAnswer>
  /** Counts secrets, in every branch and in everything that was read. */
  secrets(request: ExamineRequest, job?: Job): Promise<SecretsAnswer>
  /** Empties the trash, and drops what no session needs. */
  gc(request: SweepRequest, job?: Job): Promise<SweepAnswer>
  /** Copies what is new in other agents' sessions. Throws `invalid` while another process does so. */
  keep(request: { dryRun?: boolean }, job?: Job): Promise<KeepAnswer>
  /** Gives a session back that its agent has lost. Throws `not-found`, `invalid`. */
  restoreKept(request: { session: SessionId }, job?: Job): Promise<RestoredAnswer>
  /**
   * A folder has been moved: its sessions and snapshots, and those of the folders in it, belong to the new one.
   * Contract: moves all of them, or none and throws `invalid` or `not-found`.
   */
  moved(request: MovedRequest, job?: Job): Promise<MovedAnswer>
}

export interface AgentHere {
  agent: string
  title: string
  /** Why its program cannot be started here, and what to do: a sentence. Absent: it can. */
  missing?: string
}

/** Which sessions: all that fit everything given. */
export interface SessionFilter {
  cwd?: string
  /** `retcon` for our own. */
  agent?: string
  /** Used since then: an ISO time. */
  since?: string
  /** Those that mention this file: in full, or relative to their folder. */
  path?: string
}

export interface FindQuery extends SessionFilter {
  /**
   * Words that must all occur, `"phrases"`, `-not`, `a OR b`, `begin*`, `you:` `agent:` `tool:` `thinking:`, and the filters `from:`
   * `project:` `since:` `before:` `session:` `file:` `read:` `branch:left`. Case matters only in words with capitals.
   */
  text: string
  /** The most sessions. */
  limit: number
  /** The most hits of one session. */
  ofOne?: number
  /** `next` of the answer before. */
  after?: string
  /** Milliseconds, after which it answers with what it has. */
  within?: number
}

export interface FindAnswer {
  /** Best first. */
  sessions: FoundSession[]
  /** How many there are, with copies. */
  total: number
  /**
   * `words`: these sessions have all of the words. `inside`: inside longer words, because none has them as words. `closest`: no message
   * has all of them, and these have most.
   */
  how: "words" | "inside" | "closest"
  /** The words that none of these sessions has. */
  missing: string[]
  /** For `after`; null: these are the last. */
  next: string | null
  /** False: the time was over before everything was read. */
  complete: boolean
  /** Sessions that could not be searched, and why. */
  skipped: { file: string; problem: string }[]
  /** Files and folders that may not be read: sessions may be missing. */
  unreadable: UnreadablePlace[]
}

/** One entry of a session in which words were found. */
export interface FoundHit {
  /** Null: the title of the session. */
  entry: EntryId | null
  /** Its id in views. */
  short: string
  at: string
  /** Who or what said it. */
  where: string
  onPath: boolean
  /** The part of the text with most of the words, in one line. */
  text: string
  /** Where the words are in it. */
  marks: [from: number, to: number][]
}

export interface FoundSession {
  session: SessionId
  agent: string
  file: string | undefined
  /** Its folder. */
  project: string
  title: string
  updated: string
  score: number
  /** In how many messages each word is. */
  words: Record<string, number>
  /** All of them are in one message. */
  together: boolean
  /** Best first. */
  hits: FoundHit[]
  /** Other sessions with the same entries, because one was split from the other. */
  copies: SessionId[]
  /** The session whose sub-agent it is. */
  taskOf?: SessionId
  /** The command that continues it in its own program. */
  resume?: readonly string[]
}

export const USAGE_BY = ["day", "week", "month", "model", "agent", "project", "session"] as const
export type UsageBy = (typeof USAGE_BY)[number]

export interface UsageQuery {
  /** What the rows are for: one of each day, of each day and model, … Without: only the sum. */
  by?: readonly UsageBy[]
  /** ISO times, to a quarter of an hour. */
  since?: string
  until?: string
  /** `retcon` for our own. */
  agent?: string
  /** A part of the folder. */
  project?: string
  /** Days begin at midnight UTC; default: where this machine is. */
  utc?: boolean
}

export interface UsageAnswer extends Spending {
  by: readonly UsageBy[]
  /** How many have requests in it. */
  sessions: number
  /** Times ascending; everything else by money, then tokens, the most first. */
  rows: UsageRow[]
  /** When the prices were published, and in which file, if not with retcon. */
  prices: { dated: string; file: string | null }
  /** Sessions whose requests are not included, and why. */
  leftOut: { session: SessionId; agent: string; file: string | null; problem: string }[]
}

/** `day`: 2026-11-18. `week`: its Monday. `month`: 2026-11. `project`: the folder; of a sub-agent, that of its session. */
export interface UsageRow extends Spending, Partial<Record<UsageBy, string>> {
  sessions: number
  /** With `by: session`. */
  title?: string
}

export interface CostAnswer extends Spending {
  session: SessionId
  agent: string
  title: string
  /** How many sub-agents are included. */
  tasks: number
  models: (Spending & { model: string })[]
  /** All sessions of the same agent in the session's directory, and those there that the sum leaves out. */
  directory: Spending & { cwd: string; sessions: number; leftOut: UncountedSessions[] }
}

export interface UncountedSessions {
  agent: string
  sessions: number
  because: "other-agent" | "unreadable"
}

export interface EditsQuery {
  /** ISO times. */
  since?: string
  until?: string
  /** A file, or all files in a folder: absolute, or relative to `cwd`. */
  path?: string
  cwd?: string
  /** `retcon` for our own. */
  agent?: string
  /** A part of the session's folder. */
  project?: string
  session?: SessionId
  /** With what changed, if that is known. */
  diff?: boolean
  limit?: number
  /** `next` of the answer before. */
  after?: string
}

export interface EditsAnswer {
  /** The newest first. */
  edits: EditedFile[]
  /** How many there are, with those on other pages. */
  total: number
  next: string | null
  /** Sessions whose edits are not known, and why. */
  leftOut: UsageAnswer["leftOut"]
}

/** A change of one file by one call. */
export interface EditedFile {
  at: string
  session: SessionId
  agent: string
  title: string
  /** The session's folder. */
  project: string
  path: string
  /** The message with the call, and the prompt of its round. */
  entry: EntryId
  prompt: EntryId | null
  /** What the person asked there. */
  asked: string
  /** Lines; both 0 if only the name of the file is known. */
  added: number
  removed: number
  /** Hunks of a unified diff. */
  diff?: string
}

/** A line of a file, or a commit of the repository around a folder. */
export interface WhyRequest {
  /** Absolute, or relative to `cwd`. */
  file?: string
  line?: number
  /** Its id, the beginning of it, HEAD or a branch. */
  commit?: string
  cwd?: string
}

export interface WhyAnswer {
  line: { file: string; line: number; text: string } | null
  /** The commit that was asked about, or in which the line came into the file. */
  commit: { commit: string; subject: string; at: string; top: string } | null
  /** All with the same grade; empty: nothing on this machine says it. */
  writers: WhyWriter[]
}

/**
 * `recorded`: snapshots or an agent's own notes show it. `said`: a call of this round names the file and has this text, or git answered
 * with this commit. `likely`: lines of its edits are in the commit.
 */
export interface WhyWriter {
  grade: "recorded" | "said" | "likely"
  because: string
  session: SessionId
  agent: string
  title: string
  project: string
  prompt: EntryId | null
  entry: EntryId
  /** What the person asked there. */
  asked: string
  at: string | null
}

export interface BlameRequest {
  /** Absolute, or relative to the working directory; of a session, to its folder if that is elsewhere. */
  file: string
  /** Only by this session. */
  session?: SessionAt
}

export interface BlameAnswer {
  lines: BlamedLine[]
  /** Those that wrote them. */
  sessions: { session: SessionId; agent: string; title: string; cwd: string }[]
  /** Sessions with calls that no snapshots show: what their commands did to the file is not known. `partly`: others do. */
  unwatched: { session: SessionId; agent: string; partly: boolean }[]
}

/** Without a prompt: the person wrote it, or it was there before any of these sessions. */
export interface BlamedLine {
  line: number
  text: string
  prompt: EntryId | null
  /** What the person asked there. */
  asked: string | null
  session: SessionId | null
  agent: string | null
  /** `snapshots` around the call show it; `call`: no snapshots, but a call of this prompt that names the file has this text. */
  known: "snapshots" | "call" | null
}

export interface SweepRequest {
  /** The directory whose snapshots and stored content are swept. */
  cwd: string
  dryRun?: boolean
  /** Also drop snapshots that are in use, the oldest first, until the budget is met. */
  dropOldest?: boolean
}

export interface Freed {
  files: number
  bytes: number
}

/** What was freed, or would be. */
export interface SweepAnswer {
  dryRun: boolean
  trash: Freed
  blobs: Freed
  /** Of sessions that are gone, as are the next. */
  indexes: Freed
  /** Drafts and consent. */
  local: Freed
  /** Left by interrupted processes. */
  temporary: Freed
  /** Absent if no session of this directory has snapshots. */
  snapshots: { bytesBefore: number; bytesAfter: number; dropped: string[]; overBudget: number } | undefined
  /** In bytes. */
  budget: number
}

export interface KeepAnswer {
  dryRun: boolean
  sessions: number
  files: { file: string; agent: string; bytes: number; change: string }[]
  /** Files that changed during the copy or could not be read, and folders that may not be. */
  left: string[]
  /** Sessions in databases, by agent. */
  databases: Record<string, number>
  /** What all copies take. */
  bytes: number
  overBudget: boolean
}

/** `import`: retcon does not write into that agent's database; its own program loads the copy with this command. */
export interface RestoredAnswer {
  session: SessionId
  files: string[]
  import?: string[]
  resume: string[]
}

export interface MovedRequest {
  /** Where it was, and where it is. */
  from: string
  to: string
  dryRun?: boolean
  /** Even if the old folder still exists. */
  force?: boolean
  /** Only the sessions that came from `to` before. */
  back?: boolean
}

export interface MovedAnswer {
  from: string
  to: string
  dryRun: boolean
  folders: { from: string; to: string; sessions: SessionId[] }[]
  /** Sessions whose logs retcon cannot write: they are listed there, without their files. */
  untold: SessionId[]
}

/** One session, those of a directory, or all: ours, and those of other agents. */
export interface ExamineRequest {
  session?: SessionAt
  cwd?: string
}

export interface ExamineAnswer {
  examined: ExaminedFile[]
}

export interface ExaminedFile {
  file: string
  session: string | null
  /** How many lines were examined. */
  lines: number
  findings: FoundProblem[]
}

/** `problem`: why it could not be examined. */
export interface SecretsAnswer {
  sessions: { file: string; session: string | null; secrets: { kind: string; count: number }[]; problem?: string }[]
  /** How many different ones there are in all. */
  secrets: number
}

// The Library port: what can be asked of all sessions on this machine, the same in process and over HTTP.
import type { RecordId, SessionId } from "../model/id.ts"
import type { Spending } from "../model/spending.ts"
import type { UnreadablePlace } from "../model/text/unreadable-words.ts"

/** What a caller may pass to an operation that can take long. */
export interface Job {
  /** Called with the share that is done; it may take its time. */
  tick?: (share: number) => Promise<void>
  /** Contract: work that only reads ends soon after it aborts; what it returns then is incomplete. */
  signal?: AbortSignal
}

/** A session by its id, or by its file: a copy elsewhere has the same id. */
export type SessionAt = SessionId | { path: string }

export interface Library {
  /** Searches all branches of all sessions, best match first. */
  find(query: FindQuery, job?: Job): Promise<FindAnswer>
  /** Requests, tokens and money of a session with its sub-agents, and of its directory. */
  usage(request: { session: SessionAt }, job?: Job): Promise<UsageAnswer>
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
  /** Case matters only if it has capitals. */
  text: string
  limit: number
  /** The most hits of one session, if several have hits. */
  ofOne?: number
}

export interface FindAnswer {
  /** Session by session, as in `sessions`, and within one in the order of its log. */
  hits: FoundHit[]
  sessions: FoundSession[]
  /** How many more sessions have hits. */
  others: number
  /** Sessions that could not be searched, and why. */
  skipped: { file: string; problem: string }[]
  /** Files and folders that may not be read: sessions may be missing. */
  unreadable: UnreadablePlace[]
}

/** One entry that contains the text. */
export interface FoundHit {
  session: SessionId
  agent: string
  file: string | undefined
  title: string
  /** Null: the title of the session. */
  entry: RecordId | null
  /** Its id in views. */
  short: string
  at: string
  /** Who or what said it. */
  where: string
  onPath: boolean
  before: string
  match: string
  after: string
}

export interface FoundSession {
  session: SessionId
  agent: string
  title: string
  updated: string
  /** How many of the hits above are its own. */
  shown: number
  /** How many it has; `more`: at least. */
  hits: number
  more: boolean
}

export interface UsageAnswer extends Spending {
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

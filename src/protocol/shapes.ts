// Shapes that more than one front end shows.
import type { Advice } from "../model/failure/failure.ts"
import type { EntryId, RecordId, SessionId } from "../model/id.ts"
import type { PermissionMode } from "../model/permission-mode.ts"
import type { SandboxState } from "../model/sandbox-state.ts"
import type { GoneAs } from "../model/text/gone-words.ts"
import type { ThinkingLevel } from "../model/thinking.ts"

export interface SessionListing {
  id: SessionId
  /** `retcon`, `claude-code`, … */
  agent: string
  file: string | undefined
  title: string
  cwd: string
  /** Null for another agent's session that was never opened in retcon. */
  prompts: number | null
  branches: number | null
  /** That agent's own name for it, and the command that continues it there. */
  name?: string
  resume?: string[]
  /** ISO time since when that agent has lost it and only our copy is left. */
  gone?: string
  /** What happened to the agent's file; absent if it was removed. */
  goneAs?: GoneAs
  /** ISO time. */
  updated: string
  bytes: number
  archived: boolean
  from?: { session: SessionId; entry: EntryId | null; as: "split" | "task" | "attempt" | "import" }
  /** Another living process is running a turn in it. */
  busy?: boolean
  /** A turn of this host runs in it, or waits for the person's answer. */
  turn?: "running" | "waiting"
}

export interface PermissionRule {
  rule: string
  words: string
  /** Only the session's own rules can be revoked here. */
  from: "session" | "configuration" | "command-line"
}

export interface Permissions {
  mode: PermissionMode
  allow: PermissionRule[]
  deny: PermissionRule[]
  /** Asked about each time, in every mode. Absent: there are none. */
  ask?: PermissionRule[]
  /** Rules that have no effect, one sentence each. */
  problems: string[]
}

/** A file of people's own that the agent reads, or leaves out. */
export interface ReadingRow {
  kind: "instructions" | "skill" | "command" | "rules"
  path: string
  /** Of a skill or a command: what to type after the slash. */
  name?: string
  about?: string
  bytes?: number
  used: boolean
  /** Whose it is, or why it is not used. */
  because: string
}

export interface Status {
  model: string
  /** Undefined: as configured, or the model's own default. */
  thinking: ThinkingLevel | undefined
  mode: PermissionMode
  /** Another agent's program works here: what it is set to, if it says so. Then `mode` and `thinking` are not its own. */
  program?: { mode?: string; effort?: string }
  running: boolean
  /** A turn that waits for an approval. */
  waiting: boolean
  /** Rounds on the path. */
  round: number
  /** Rounds on the longest branch through the head; the same as `round` if the head is a tip. */
  rounds: number
  /** Of the whole tree. */
  branches: number
  context: { used: number; window: number | undefined; compactsAt: number | undefined }
  totals: Totals
  /** The repository's branch, if there is one. */
  repository: string | undefined
  /** Files changed in the last round of the path. */
  filesChanged: number
  /** Why moves cannot restore files here, if so, and what to do about it. */
  filesUnavailable: { reason: string; advice?: Advice } | undefined
  /** How commands that run without approval are confined; undefined if each needs approval, or before it is known. */
  sandbox?: SandboxState
}

export interface Totals {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** In dollars, of the models with a known price; undefined if no price is known. */
  cost: number | undefined
  /** The models that `cost` leaves out, if there are any. */
  unpriced?: readonly string[]
  /** Estimated tokens that did not have to be sent again thanks to backtracking. */
  saved: number
}

/** Something that is wrong with a session, or good to know, as data and in words. */
export interface FoundProblem {
  /** `problem`: it needs attention, or something is lost. `note`: good to know. */
  severity: "problem" | "note"
  kind: string
  /** The lines that it is about. */
  line?: number
  lines?: number[]
  /** What it is, without its line number; what it means, and what to do. */
  what: string
  means: string
  advice: string
}

export interface CountedMessages {
  /** On the path to the head; `all`: in all branches. */
  path: number
  all: number
}

/** What a session consists of, and what is wrong with it. */
export interface DoctorAnswer {
  /** Lines by type, and messages by origin. */
  kinds: Record<string, number>
  origins: Record<string, number>
  prompts: CountedMessages
  /** Messages with the user role: what you would count without looking closer. */
  userMessages: CountedMessages
  findings: (FoundProblem & { file: string })[]
  /** Of another agent's session: each line, and why it was classified as that. Lines of our own are rows. */
  lines?: { line: number; id: RecordId; origin: string; why: string; onPath: boolean }[]
}

export interface ModelItem {
  value: string
  about: string
  /** What is missing to use it: it is listed, but cannot be chosen. */
  missing?: string
}

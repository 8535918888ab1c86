// Answers that more than one front end shows.

import type { Advice } from "../model/failure/advice.ts"
import type { EntryId, SessionId } from "../model/id.ts"
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
  /** Null for another agent's session that was never opened here. */
  prompts: number | null
  branches: number | null
  /** That agent's own name of it, and the command that continues it there. */
  name?: string
  resume?: string[]
  /** ISO time since when that agent has it no more, and only our copy is left. */
  gone?: string
  /** What became of the agent's file; absent: it was removed. */
  goneAs?: GoneAs
  /** ISO time. */
  updated: string
  bytes: number
  archived: boolean
  from?: { session: SessionId; entry: EntryId | null; as: "split" | "task" | "import" }
  /** Another living process runs a turn in it. */
  busy?: boolean
}

export interface PermissionRule {
  rule: string
  words: string
  /** Only the session's own can be revoked in it. */
  from: "session" | "configuration" | "command-line"
}

export interface Permissions {
  mode: PermissionMode
  allow: PermissionRule[]
  deny: PermissionRule[]
  /** Rules that say nothing, a sentence each. */
  problems: string[]
}

export interface Status {
  model: string
  /** Undefined: as configured, or as the model does by itself. */
  thinking: ThinkingLevel | undefined
  mode: PermissionMode
  running: boolean
  /** A turn that waits for an approval. */
  waiting: boolean
  /** Rounds on the path. */
  round: number
  /** The most rounds of a branch that goes on from the head: as many when the head is a tip. */
  rounds: number
  /** Of the whole tree. */
  branches: number
  context: { used: number; window: number | undefined; compactsAt: number | undefined }
  totals: Totals
  /** The repository's branch, when there is one. */
  repository: string | undefined
  /** Files changed in the last round of the path. */
  filesChanged: number
  /** Why a move leaves the files alone, when it does, and what to do about that. */
  filesUnavailable: { reason: string; advice?: Advice } | undefined
  /** How commands that run without being asked for are confined; undefined while each is asked for, or before it is known. */
  sandbox?: SandboxState
}

export interface Totals {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** In dollars; undefined when a price is not known. */
  cost: number | undefined
  /** Tokens that backtracking did not have to send again, estimated. */
  saved: number
}

// Answers that more than one front end shows.

import type { Failure } from "../model/failure/failure.ts"
import type { EntryId, SessionId } from "../model/id.ts"
import type { PermissionMode } from "../model/permission-mode.ts"
import type { OperationKind } from "../model/record/record.ts"
import type { SandboxState } from "../model/sandbox-state.ts"
import type { ConflictReason, KeptReason } from "../model/text/file-reasons.ts"
import type { ThinkingLevel } from "../model/thinking.ts"

export interface SessionListing {
  id: SessionId
  /** `retcon`, `claude-code`, … */
  agent: string
  file: string | undefined
  title: string
  cwd: string
  prompts: number
  branches: number
  /** ISO time. */
  updated: string
  bytes: number
  archived: boolean
  from?: { session: SessionId; entry: EntryId | null; as: "split" | "task" | "import" }
  /** Another living process runs a turn in it. */
  busy?: boolean
}

export interface FileMoved {
  path: string
  change: string
  added?: number
  removed?: number
}

/** A move, or what one would do (`planned`). */
export type MoveAnswer =
  | {
      outcome: "moved" | "planned" | "unchanged"
      kind: OperationKind
      head: EntryId | null
      left: number
      messages: number
      prompt: { id: EntryId; text: string } | null
      filesMode: "keep" | "restore"
      files: FileMoved[]
      /** `keep`, and files differ: why they could not have come along. */
      notRestorable?: string
      /** `by`: the other session that changed it, where its log says so; else it is taken for the person's. */
      kept: { path: string; because: KeptReason; by?: SessionId }[]
      uncertain: string[]
      notCovered: { path: string; because: string }[]
      roundsNotCovered?: number
      commits: {
        path: string
        from: string | undefined
        to: string
        made: { commit: string; subject: string }[]
        more: number
        switched?: { from: string; to: string; command: string }
      }[]
      cost?: { cached: number; cachedTokens: number; againTokens: number }
    }
  | { outcome: "refused"; failure: Failure; conflicts?: ConflictAnswer[] }

/** `branches`: git has switched the files since, from one to the other. */
export interface ConflictAnswer {
  path: string
  because: ConflictReason
  /** Each place with its first line, as it is now and as it was then. None where there is no text to compare. */
  parts: { line: number; now: string; before: string }[]
  /** A file that is in the way and that no snapshot covers. */
  holds?: string
  by?: SessionId
  branches?: { from: string; to: string }
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
  /** Why files do not come along, when they do not. */
  filesUnavailable: string | undefined
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

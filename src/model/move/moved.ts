// What a move returns, to the library, the host, every front end and `--json` alike. Fields may be added.
import type { Failure } from "../failure/failure.ts"
import type { EntryId, RecordId } from "../id.ts"
import type { OperationKind } from "../record/record.ts"
import type { Conflict, Kept, NotCovered } from "./file-outcomes.ts"

export type FilesMode = "keep" | "restore"

export interface MovedFile {
  path: string
  change: string
  /** Lines, when they were counted. */
  added?: number
  removed?: number
}

export interface Moved {
  /** `unchanged`: we are already there. `planned`: a dry run. */
  outcome: "moved" | "planned" | "unchanged"
  kind: OperationKind
  operation: RecordId | null
  from: EntryId | null
  head: EntryId | null
  /** Entries of the path that the new one does not have, and the other way round. */
  left: number
  regained: number
  /** Messages among those left. */
  messages: number
  /** What goes back into the editor. */
  prompt: { id: EntryId; text: string } | null
  /** `keep`: how the files differ from that point, untouched. `restore`: what was done to them. */
  filesMode: FilesMode
  files: MovedFile[]
  /** `keep`, and files differ: why they could not have come along. */
  notRestorable?: string
  /** Changed by the person since, so left as they are. */
  kept: Kept[]
  /** Restored, though perhaps not changed by the agent: changed while a command ran. */
  uncertain: string[]
  notCovered: NotCovered[]
  /** Rounds between here and there whose changes no snapshot records: they stay as they are. */
  roundsNotCovered?: number
  /** Copies of another agent were used, where there are no snapshots of ours: what they leave out, as a sentence. */
  copies?: string
  /** Commands that the rounds left have started in the background, and that still run. */
  stillRunning?: { job: string; command: string }[]
  /** Commits of the rounds that were left. They stay. */
  commits: CommitsMade[]
  /** In a dry run. */
  cost?: Cost
  /** In a dry run: the process whose turn keeps the move itself from being made now. */
  busy?: { pid: number }
  modes?: Modes
}

export type MoveResult = Moved | { outcome: "refused"; failure: Failure; conflicts?: Conflict[] }

export type NamedCommit = { commit: string; subject: string }

export interface CommitsMade {
  /** The repository's folder, relative to the workspace. */
  path: string
  from: string | undefined
  to: string
  /** Newest first; none when only the branch was switched, or when the repository cannot be read. */
  made: NamedCommit[]
  /** How many more there are. */
  more: number
  /** Where it was before and is now, as a person calls it, and the command that takes it there: it was switched, or pulled. */
  switched?: { from: string; to: string; command: string }
}

/** Null where it is possible; otherwise the reason, as the end of "it is not possible: ". */
export interface Modes {
  conversation: string | null
  files: string | null
  both: string | null
}

export interface Cost {
  /** Messages of the new context that are already in the model's prompt cache. */
  cached: number
  /** Estimated tokens of those, and of what would be sent again. */
  cachedTokens: number
  againTokens: number
}

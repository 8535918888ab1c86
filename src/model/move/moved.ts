// What a move returns, to the library, the host, every front end and `--json` alike. Later versions may add fields.
import type { Failure } from "../failure/failure.ts"
import type { EntryId, RecordId } from "../id.ts"
import type { OperationKind } from "../record/record.ts"
import type { FileGaps, FilesCopied } from "./file-gaps.ts"
import type { Conflict, Kept, NotCovered } from "./file-outcomes.ts"

export type FilesMode = "keep" | "restore"

export interface MovedFile {
  path: string
  change: string
  /** In lines, if they were counted. */
  added?: number
  removed?: number
  /** It has other names (hard links), which keep what they have: the restored name becomes a file of its own. */
  split?: true
}

export interface Moved {
  /** `unchanged`: the head is already there. `planned`: a dry run. */
  outcome: "moved" | "planned" | "unchanged"
  kind: OperationKind
  operation: RecordId | null
  from: EntryId | null
  head: EntryId | null
  /** Entries that only the old path has, and entries that only the new one has. */
  left: number
  regained: number
  /** Messages among the entries left. */
  messages: number
  /** The prompt whose text goes back into the editor. `passed`: the agent's Backtrack had left it behind. */
  prompt: { id: EntryId; text: string; passed?: true } | null
  /** `keep`: how the untouched files differ from that point. `restore`: what happened to them. */
  filesMode: FilesMode
  files: MovedFile[]
  /** With `keep`, if files differ: why they could not be restored. */
  notRestorable?: string
  /** Changed by the person since then, so left alone. */
  kept: Kept[]
  /** Restored, although perhaps someone other than the agent changed them: there is a reason to think so. */
  uncertain: string[]
  notCovered: NotCovered[]
  /** With `restore`: what stays because too little is recorded of it. Absent if all rounds between here and there are known. */
  gaps?: FileGaps
  /** Those of `files` for which there is no snapshot. */
  copied?: FilesCopied
  /** What was found on the branch that is brought: its last answer, or what the person wrote. */
  findings?: Findings
  /** Background commands of the rounds left that are still running. */
  stillRunning?: { job: string; command: string }[]
  /** Commits made in the rounds left. They stay. */
  commits: CommitsMade[]
  /** In a dry run. */
  cost?: Cost
  /** In a dry run: the process whose turn prevents the move at present. */
  busy?: { pid: number }
  modes?: Modes
}

export interface Findings {
  /** The end of the branch. */
  from: EntryId
  /** Its label, or what was asked last on it. */
  name: string
  /** How many rounds of it are new here. */
  rounds: number
  note: string
  /** Left as a note for the agent's next session in the folder, because nothing can be added to this one. */
  asNote?: true
}

/** `plan`: with the failure `moved-elsewhere`, what the same request would do from where the head is now. */
export type MoveResult = Moved | { outcome: "refused"; failure: Failure; conflicts?: Conflict[]; plan?: Moved }

export type NamedCommit = { commit: string; subject: string }

export interface CommitsMade {
  /** The repository's folder, relative to the workspace. */
  path: string
  from: string | undefined
  to: string
  /** Newest first; empty if only the branch was switched, or if the repository cannot be read. */
  made: NamedCommit[]
  /** How many more commits there are. */
  more: number
  /**
   * Set if it was switched or pulled: where it was and is now, as a person would say, and the command to go back there.
   */
  switched?: { from: string; to: string; command: string }
}

/** Null if possible; otherwise the reason, to complete "it is not possible: ". */
export interface Modes {
  conversation: string | null
  files: string | null
  both: string | null
  /** If files can never be restored here: what covers the rounds to come, or why nothing does. */
  next?: FileGaps["next"]
}

export interface Cost {
  /** Messages of the new context that are already in the provider's prompt cache. */
  cached: number
  /** Estimated tokens of those messages, and of the rest, which would be sent again. */
  cachedTokens: number
  againTokens: number
}

/** Whether the conversation stays, whatever happens to the files. */
export function movesOnlyFiles(kind: OperationKind): boolean {
  return kind === "restore" || kind === "revert" || kind === "bring"
}

// Attempts: several answers to the same prompt, each in a copy of the folder, which become branches of the session's tree.
import type { Failure } from "../model/failure/failure.ts"
import type { EntryId, SessionId } from "../model/id.ts"
import type { PermissionMode } from "../model/permission-mode.ts"

export interface ExploreRequest {
  prompt: string
  /** How many attempts; by default one for each model, or three. */
  attempts?: number
  /** The models that they use, in turn; by default the session's. */
  models?: string[]
  /** Commands that are run in each copy when its attempt has ended. */
  checks?: string[]
  /** A command that is run in each copy first, such as an install. */
  setup?: string
  /** How many run at the same time; by default all. */
  jobs?: number
  /** In dollars, of all attempts together. */
  budget?: number
  /** In minutes, of each attempt. */
  time?: number
  /** What the agent may do without asking; by default as in the session. */
  mode?: PermissionMode
}

export interface CheckResult {
  command: string
  /** Null: it did not end in time, or could not be started. */
  code: number | null
  /** The end of what it printed. */
  output: string
  /** What it did with the files as they were before. Absent: that was not tried. */
  before?: number | null
}

export type AttemptEnd = "done" | "stopped" | "budget" | "time" | "failed" | "interrupted"

/** An attempt, running or ended. */
export interface AttemptState {
  /** `a1`, `a2`…: the name of its branch once it has ended. */
  label: string
  session: SessionId
  /** Of the copy. Null: there is none any more. */
  folder: string | null
  model: string
  state: "waiting" | "preparing" | "running" | "checking" | "ended"
  /** What it is doing, on one line. */
  doing: string
  steps: number
  /** In dollars; null if no price is known. */
  cost: number | null
  seconds: number
  ended?: AttemptEnd
  /** Why it failed. */
  problem?: string
  checks: CheckResult[]
  /** What its calls changed. Absent while it runs. */
  files?: { path: string; added?: number; removed?: number }[]
  /** Changed files that decide what counts as right: tests, settings of build servers, lock files, what the check runs. */
  guarded: string[]
  /** Where its branch ends. Null: it is not in the tree, or has no entry. */
  tip: EntryId | null
}

export type ExploreAnswer =
  | {
      outcome: "explored"
      attempts: AttemptState[]
      /** Covered files of the session's folder that differ from when the exploration began. */
      changed: string[]
      /** False: this machine has no sandbox, so commands could have written to the folder itself. */
      held: boolean
      /** Ignored files and folders that the copies did not have. */
      left: string[]
    }
  | { outcome: "refused"; failure: Failure }

export interface CleanAnswer {
  cleaned: string[]
  /** Those that stay, each with the reason as a sentence. */
  kept: { label: string; because: string }[]
}

export interface SessionAttempts {
  /** Those of this session that run, and those whose copies are still there, oldest first. */
  attempts(): Promise<AttemptState[]>
  /** Takes in what attempts did that were interrupted, for example because their process was killed. */
  finishAttempts(): Promise<AttemptState[]>
  /** Removes copies of attempts that are in the tree. `force`: with commits that exist nowhere else. */
  cleanAttempts(request?: { label?: string; force?: boolean }): Promise<CleanAnswer>
}

// What is not recorded of what the rounds between here and there did to files, so that nobody believes it came back.
import type { AdviceStep } from "../failure/failure.ts"
import type { EntryId } from "../id.ts"

/** A round without snapshots. `partly`: some of its calls have them. */
export interface RoundGap {
  partly?: true
  /** Null: what was done before the first prompt. */
  prompt: EntryId | null
  /** Files that the session names as changed there, without all of what they contained before: those changes stay. */
  named: string[]
  /** Calls of which nothing is known: shell commands, sub-agents, and other tools that may change files. */
  commands: number
  agents: number
  others: number
}

export interface FileGaps {
  /** The session's agent; absent for retcon's own. */
  agent?: string
  /** Oldest first. Rounds of which everything is known are not among them. */
  rounds: RoundGap[]
  /** What covers the rounds to come, or why nothing does. Absent if snapshots have covered rounds since. */
  next?: readonly (string | AdviceStep)[]
}

/** Files that come from the agent's own copies, or from what its session says, where there is no snapshot. */
export interface FilesCopied {
  agent: string
  paths: string[]
}

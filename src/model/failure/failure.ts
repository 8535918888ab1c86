// A failure is data with a code from a closed list; failure-words.ts puts it into words.
import type { EntryId } from "../id.ts"
import type { DoneElsewhere } from "../text/done-elsewhere.ts"
import type { Advice, ConflictChoice } from "./advice.ts"

/** Why something was refused or failed. `code` is stable: scripts and front ends may rely on it. */
export type Failure =
  // What a person asked for cannot be done from here.
  /** `rounds`: how many rounds the path has; 0 in the empty conversation. */
  | { code: "at-start"; rounds: number }
  | { code: "too-few-rounds"; asked: number; possible: number }
  | { code: "nothing-to-undo" }
  | { code: "nothing-to-redo" }
  | { code: "nothing-to-compact" }
  | {
      code: "not-found"
      what:
        | "session"
        | "session of the folder"
        | "session in the trash"
        | "entry"
        | "record"
        | "checkpoint"
        | "file"
        | "folder"
        | "key"
      name: string
      possible?: string[]
    }
  /** `recent`: none was named, and these were all used in the last few minutes. */
  | {
      code: "ambiguous"
      what: "session" | "entry"
      name: string
      matches: string[]
      recent?: { id: string; agent: string; title: string }[]
    }
  /**
   * `unreadable`: how many sessions cannot be opened. `moved`: a folder that no longer exists and looks like this one.
   */
  | {
      code: "no-session"
      cwd: string
      found: { id: string; agent: string; title: string }[]
      unreadable?: number
      moved?: string
    }
  | { code: "invalid"; problem: string; advice: Advice }
  // Another process, or an earlier move, is in the way.
  /** The head is no longer where the front end shows it. `head`: where it is now. `did`: what was done, if known. */
  | { code: "moved-elsewhere"; head: EntryId | null; did?: DoneElsewhere }
  /** `agent`: set if the process belongs to an agent other than retcon. */
  /** `lingers`: only the agent's background process has it open, perhaps after the person has closed it. */
  | { code: "session-busy"; session: string; pid: number; agent?: string; lingers?: true }
  /** Another agent's session; nothing shows whether that agent is working on it now. */
  | { code: "perhaps-running"; session: string; agent: string }
  /** The other agent would not continue from there. */
  | { code: "not-honoured"; agent: string; problem: string; advice: Advice }
  | { code: "turn-ended" }
  // The session itself.
  | { code: "exists"; path: string }
  | { code: "format-newer"; path: string; reads: number }
  | { code: "read-only"; path: string; because: "format" | "folder" | "foreign" }
  | { code: "damaged"; path: string; line: number; problem: string }
  | { code: "not-a-session"; path: string; problem: string }
  // The machine.
  | { code: "disk-full"; path: string }
  /** `kept`: the session, if it is in the trash now. */
  | { code: "vanished"; path: string; kept?: string }
  /** The old content is gone: another program truncated or overwrote the file. */
  | { code: "overwritten"; path: string }
  | { code: "io"; path: string; problem: string }
  /** The work is done, but the report about it could not be printed. */
  | { code: "not-printed"; problem: string }
  // Files of the workspace.
  | { code: "no-workspace"; reason: string; advice?: Advice }
  | { code: "snapshot-gone"; snapshot: string }
  /**
   * `others`: paths that another session changed, according to its log; all other changes are attributed to the person.
   * `unseen`: or to commands of which no snapshot shows what they changed.
   * `blocked`: paths in whose place is something else, and what that is. `choices`: what settles all of them; if absent,
   * each of the three does.
   */
  | {
      code: "conflicts"
      paths: string[]
      others?: { path: string; session: string }[]
      unseen?: true
      blocked?: { path: string; by: string }[]
      choices?: readonly ConflictChoice[]
    }
  | { code: "too-many-files"; folder: string; files: number; limit: number }
  | { code: "unsafe-path"; path: string; problem: string }
  | { code: "restore-failed"; problem: string; path: string; rolledBack: boolean }

export type FailureCode = Failure["code"]

// A failure is data with a code from a closed list; failure-words.ts has the words for people.
import type { Advice } from "./advice.ts"

/** Why something was refused or failed. `code` is stable: scripts and front ends may rely on it. */
export type Failure =
  // What a person asked for cannot be done from here.
  /** `rounds`: how many there are on the path; none in the empty conversation. */
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
  | { code: "ambiguous"; what: "session" | "entry"; name: string; matches: string[] }
  /** `unreadable`: how many there are that cannot be opened. `moved`: a folder that is gone and looks like this one. */
  | {
      code: "no-session"
      cwd: string
      found: { id: string; agent: string; title: string }[]
      unreadable?: number
      moved?: string
    }
  | { code: "invalid"; problem: string; advice: Advice }
  // Somebody else, or an earlier move, is in the way.
  /** `agent`: another agent than retcon, whose process it is. */
  | { code: "session-busy"; session: string; pid: number; agent?: string }
  /** Another agent's session, and nothing tells whether that agent works on it now. */
  | { code: "perhaps-running"; session: string; agent: string }
  /** Another agent, which would not continue from there. */
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
  /** `kept`: the session, which is in the trash now. */
  | { code: "vanished"; path: string; kept?: string }
  /** What was there is gone: another program cut it or overwrote it. */
  | { code: "overwritten"; path: string }
  | { code: "io"; path: string; problem: string }
  /** The work is done; what there is to say about it could not be written. */
  | { code: "not-printed"; problem: string }
  // Files of the workspace.
  | { code: "no-workspace"; reason: string; advice?: Advice }
  | { code: "snapshot-gone"; snapshot: string }
  /** `others`: those that another session changed, as its log says; the rest is attributed to the person. */
  | { code: "conflicts"; paths: string[]; others?: { path: string; session: string }[] }
  | { code: "too-many-files"; folder: string; files: number; limit: number }
  | { code: "unsafe-path"; path: string; problem: string }
  | { code: "restore-failed"; problem: string; path: string; rolledBack: boolean }

export type FailureCode = Failure["code"]

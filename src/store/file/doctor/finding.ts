// What doctor can find, as data. The command line has the words for it.

/** `line` counts from 1. */
export type Finding =
  | { kind: "not-a-session"; problem: string }
  | { kind: "cannot-read"; problem: string }
  | { kind: "format-newer"; reads: number }
  | { kind: "header-damaged"; line: number; problem: string }
  | { kind: "name-differs"; line: number; id: string }
  | { kind: "extra-header"; line: number; id: string }
  | { kind: "damaged-line"; line: number; bytes: number; problem: string }
  | { kind: "nul-bytes"; line: number; bytes: number }
  | { kind: "invalid-utf8"; line: number }
  | { kind: "oversize-line"; line: number; bytes: number }
  | { kind: "torn-tail"; line: number; bytes: number }
  /** Torn, and since sealed by the blank line after it. */
  | { kind: "torn-line"; line: number; bytes: number }
  | { kind: "duplicate-id"; line: number; id: string; first: number }
  /** `later`: the parent is in the log, but after its child or not as an entry, as in a cycle. */
  | { kind: "missing-parent"; line: number; id: string; parent: string; later: boolean }
  | { kind: "unknown-head"; line: number; to: string }
  | { kind: "second-root"; line: number; first: number }
  | { kind: "crlf"; line: number }
  | { kind: "unknown-type"; line: number; type: string }
  | { kind: "blob-missing"; line: number; hash: string }
  | { kind: "blob-changed"; line: number; hash: string }
  /** The index differs from the log at this row. */
  | { kind: "index-wrong"; row: number }
  | { kind: "index-unusable" }
  | { kind: "dead-lease" }
  | { kind: "permissions"; mode: number; wanted: number }
  | { kind: "stranger"; what: string }
  | { kind: "left-over" }
  /** A part of a snapshot of files. */
  | { kind: "object-damaged"; problem: string }
  /** A restore of a folder's files was killed. `finish`: what to do. */
  | { kind: "restore-cut-off"; root: string; finish: string }
  /** A temporary file of a snapshot whose process was killed. */
  | { kind: "left-behind"; bytes: number }
  /** Another agent's files that it will remove within `ahead` days, the first in `first`, after `days` without use. */
  | { kind: "clean-up"; agent: string; days: number; files: number; ahead: number; first: number; notKept: number }
  /** Lines of another agent's session that cannot be read, occur twice, or continue a missing entry. */
  | { kind: "foreign"; agent: string; id: string; wrong: "damaged" | "twice" | "orphan"; lines: number[] }
  /** Another agent's session that seems intact, but in a form that we cannot read. */
  | { kind: "not-read"; problem: string; advice: string }
  /** Hooks that were installed in another agent and cannot run. */
  | { kind: "not-protected"; agent: string; problem: string; advice: string }
  /** A file or folder of another agent that may not be read. */
  | { kind: "forbidden"; agent: string }
  /** Hooks in another agent that failed in the last week: how often, when last, and why. */
  | { kind: "hooks-failed"; agent: string; times: number; last: string; problem: string }

/** What was found in one file or folder. */
export interface Examined {
  path: string
  /** The id of its session, if the file's name does not contain it. */
  session?: string
  /** How many lines were examined. */
  lines: number
  findings: Finding[]
}

/** Called between two pieces of work, so that other work gets its turn. */
export type Tick = (bytes: number) => Promise<void>

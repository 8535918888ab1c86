// A failure is data with a code from a closed list; failure-words.ts puts it into words.
import type { EntryId } from "../id.ts"
import type { DoneElsewhere } from "../text/done-elsewhere.ts"

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
        | "commit"
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
  /** Two sessions without an entry in common. */
  | { code: "unrelated"; a: string; b: string }
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

/** How a person can settle conflicts in files. */
export type ConflictChoice = "ours" | "theirs" | "write-conflicts"

/** Something a person can do about a failure. A closed list: each front end must be able to print every kind. */
export type AdviceStep =
  // Move in the conversation.
  | { do: "back" }
  | { do: "undo" }
  | { do: "goto"; entry: string; files?: "restore" }
  /** `session`: an id or a file; by default the current one. `to`: copy another agent's session for retcon. */
  | { do: "split"; entry?: string; session?: string; to?: "retcon" }
  /** Continue without the content of an entry. */
  | { do: "omit"; entry: string }
  /** An option of a move: whether the files move too. */
  | { do: "files"; choice: "keep" | "restore" }
  /** An option of a move: which side wins where both changed the same lines. */
  | { do: "resolve"; choice: ConflictChoice }
  /** An option of a move in another agent's session: make it even though that agent may be running. */
  | { do: "even-if-running" }
  // Look.
  /** The whole tree. */
  | { do: "log" }
  /** The messages that the model sees. */
  | { do: "show" }
  /** The moves so far. */
  | { do: "ops" }
  /** The attempts whose copies are still there: list them, take in what interrupted ones did, or remove the copies. */
  | { do: "attempts"; way: "list" | "resume" | "clean" }
  /** What agents left for the next session. */
  | { do: "notes" }
  | { do: "diff"; entry: string }
  | { do: "doctor" }
  // Sessions.
  | { do: "sessions" }
  /** Continue this session. */
  | { do: "resume"; session: string }
  /** Name the session to use. */
  | { do: "choose-session" }
  /** Open the session in this file, which no list shows. */
  | { do: "open-file"; file: string }
  | { do: "restore-session"; id: string }
  /** Give a session back to an agent that no longer has it. */
  | { do: "restore-kept"; id: string }
  | { do: "import"; file: string }
  /** The sessions of a folder that was moved. */
  | { do: "moved"; folder: string }
  // Settings.
  /** Have another agent report what it does, so that there are snapshots. */
  | { do: "install-hooks"; agent: string }
  | { do: "model"; name?: string }
  | { do: "think"; level: string }
  | { do: "max-steps" }
  | { do: "config"; key?: string; value?: string }
  /** Free the space of snapshots that nothing needs. */
  | { do: "gc" }

export type Advice = string | readonly (string | AdviceStep)[]

/**
 * What to do next, as data: sentences with steps among the words. Each front end prints a step in its own way: as a
 * shell command, a slash command, a key or a button. Always as a list, for sending on as data.
 */
export function adviceList(advice: Advice): readonly (string | AdviceStep)[] {
  return typeof advice === "string" ? [advice] : advice
}

/** Advice as text; `print` turns each step into text. */
export function adviceText(advice: Advice, print: (step: AdviceStep) => string = stepName): string {
  return adviceList(advice)
    .map((part) => (typeof part === "string" ? part : print(part)))
    .join("")
}

/** Joins several pieces of advice, each a sentence; empty ones add nothing. */
export function joinAdvice(...all: readonly Advice[]): Advice {
  const joined: (string | AdviceStep)[] = []
  for (const each of all) {
    if (each.length === 0) continue
    if (joined.length > 0) joined.push(adviceText(joined).endsWith(".") ? " " : ". ")
    joined.push(...adviceList(each))
  }
  return joined
}

/** Works for any front end: "goto @1". */
function stepName({ do: name, ...more }: AdviceStep): string {
  return [name, ...Object.values(more).filter((value) => value !== undefined)].join(" ")
}

/** The system's names for what went wrong. */
export const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"])
/** The machine, not the file, is the reason: it has run out of something, or its disk fails. */
export const EXHAUSTED: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EIO"])
export const FORBIDDEN: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"])

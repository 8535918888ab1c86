// What to do next, as data: sentences with steps among the words. Each front end prints a step in its own way: as a
// shell command, a slash command, a key or a button.

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

/** Always as a list, for sending on as data. */
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

// What to do next, as data: sentences with steps between the words. Each front end prints a step as its user takes it:
// a command of the shell, a slash command, a key, a button.

/** Something a person can do about a failure. Closed: a new kind needs words in every front end. */
export type AdviceStep =
  // Move in the conversation.
  | { do: "back" }
  | { do: "undo" }
  | { do: "goto"; entry: string; files?: "restore" }
  /** `session`: an id or a file; without it the one in use. `to`: a copy for retcon, of another agent's session. */
  | { do: "split"; entry?: string; session?: string; to?: "retcon" }
  /** Continue without what an entry holds. */
  | { do: "omit"; entry: string }
  /** An option of a move: whether the files come along. */
  | { do: "files"; choice: "keep" | "restore" }
  /** An option of a move: whose lines win where both changed them. */
  | { do: "resolve"; choice: "ours" | "theirs" | "write-conflicts" }
  /** An option of a move in another agent's session: make it, though that agent may be running. */
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
  /** Continue with this one. */
  | { do: "resume"; session: string }
  /** Say which session is meant. */
  | { do: "choose-session" }
  | { do: "restore-session"; id: string }
  /** Give another agent back a session that it no longer has. */
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

/** In one shape, for what is sent on as data. */
export function adviceList(advice: Advice): readonly (string | AdviceStep)[] {
  return typeof advice === "string" ? [advice] : advice
}

/** Advice as text, with each step as `print` puts it. */
export function adviceText(advice: Advice, print: (step: AdviceStep) => string = stepName): string {
  return adviceList(advice)
    .map((part) => (typeof part === "string" ? part : print(part)))
    .join("")
}

/** One after the other, each a sentence; what is empty adds nothing. */
export function joinAdvice(...all: readonly Advice[]): Advice {
  const joined: (string | AdviceStep)[] = []
  for (const each of all) {
    if (each.length === 0) continue
    if (joined.length > 0) joined.push(adviceText(joined).endsWith(".") ? " " : ". ")
    joined.push(...adviceList(each))
  }
  return joined
}

/** Independent of a front end: "goto @1". */
function stepName({ do: name, ...more }: AdviceStep): string {
  return [name, ...Object.values(more).filter((value) => value !== undefined)].join(" ")
}

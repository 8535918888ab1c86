// What somebody else did in a session that is open here: another front end, another process, the agent.
import { agentTitle } from "../agent-title.ts"
import type { Author, FrontEnd, OperationKind } from "../operation-kind.ts"
import { count } from "./amounts.ts"
import { clip, sanitiseLine } from "./sanitise.ts"

/** `prompt`: a message was sent. */
export interface DoneElsewhere {
  kind: OperationKind | "prompt"
  by: Author
  via?: FrontEnd
  /** How many rounds fewer the path has; negative: more. */
  rounds: number
  /** The prompt that was sent, or the one that was gone to. */
  text?: string
  /** Another agent's own program in which the prompt was sent. */
  agent?: string
}

const WHO: Readonly<Record<FrontEnd, string>> = {
  "command-line": "The command line",
  terminal: "The terminal",
  page: "The page",
  voice: "A spoken command",
  api: "A program that uses the API",
  mcp: "An agent that uses retcon's tools",
  editor: "The editor",
}

/** What an undo takes back. */
export const UNDOABLE: ReadonlySet<DoneElsewhere["kind"]> = new Set([
  "back",
  "goto",
  "redo",
  "backtrack",
  "restore",
  "compact",
  "omit",
  "revert",
  "bring",
  "prompt",
])

const LONGEST = 60

/** A sentence without a full stop: "The command line went back 1 round". */
export function elsewhereWords(did: DoneElsewhere): string {
  // Prompts do not say through what they were sent: perhaps another tab of the same page.
  if (did.kind === "prompt") {
    return `A prompt was sent${did.agent === undefined ? "" : ` in ${agentTitle(did.agent)}`}${textWords(did)}`
  }
  return `${whoWords(did)} ${whatWords(did.kind, did)}`
}

function whoWords({ by, via }: DoneElsewhere): string {
  if (by === "agent" && via === undefined) return "The agent"
  // A newer version may write names that this one does not know.
  return (via === undefined ? undefined : WHO[via]) ?? "Another program"
}

function textWords({ text }: DoneElsewhere): string {
  return text === undefined ? "" : `: “${clip(sanitiseLine(text), LONGEST)}”`
}

function whatWords(kind: OperationKind, did: DoneElsewhere): string {
  const { rounds } = did
  const there = textWords(did)
  switch (kind) {
    case "back":
      return `went back ${count(rounds, "round")}`
    case "goto":
      return `went to another point of the conversation${there}`
    case "undo":
      return `undid the last step${roundsWords(rounds)}`
    case "redo":
      return `redid a step${roundsWords(rounds)}`
    case "retract":
      return "took back the last prompt"
    case "backtrack":
      return "went back to a checkpoint"
    case "restore":
      return "restored files"
    case "compact":
      return "compacted the conversation"
    case "omit":
      return "left a message out of what the model sees"
    case "revert":
      return "took back the file changes of a round"
    case "bring":
      return "made the file changes of a round again"
    case "take":
      return "took in what an attempt did, as a branch"
  }
}

function roundsWords(rounds: number): string {
  if (rounds === 0) return ""
  return rounds > 0 ? ` (${count(rounds, "round")} fewer now)` : ` (${count(-rounds, "round")} more now)`
}

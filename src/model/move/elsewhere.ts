// What somebody else did in a session that is open here: another front end, another process, the agent.
import type { Author, FrontEnd, OperationKind } from "../record/record.ts"
import { count } from "../text/amounts.ts"
import { sanitiseLine } from "../text/sanitise.ts"
import { clip } from "../text/width.ts"

/** `prompt`: a message was sent. */
export interface DoneElsewhere {
  kind: OperationKind | "prompt"
  by: Author
  via?: FrontEnd
  /** How many rounds fewer the path has; negative: more. */
  rounds: number
  /** The prompt that was sent, or the one that was gone to. */
  text?: string
}

const WHO: Readonly<Record<FrontEnd, string>> = {
  "command-line": "The command line",
  terminal: "The terminal",
  page: "The page",
  voice: "A spoken command",
  api: "A program that uses the API",
  mcp: "An agent that uses retcon's tools",
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
  "prompt",
])

const LONGEST = 60

/** A sentence without a full stop: "The command line went back 1 round". */
export function elsewhereWords(did: DoneElsewhere): string {
  return `${whoWords(did)} ${whatWords(did)}`
}

function whoWords({ by, via, kind }: DoneElsewhere): string {
  if (by === "agent" && via === undefined) return "The agent"
  const known = via === undefined ? undefined : WHO[via]
  return known ?? (kind === "prompt" ? "Another program" : "Another window")
}

function whatWords({ kind, rounds, text }: DoneElsewhere): string {
  const there = text === undefined ? "" : `: “${clip(sanitiseLine(text), LONGEST)}”`
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
    case "prompt":
      return `sent a prompt${there}`
  }
}

function roundsWords(rounds: number): string {
  if (rounds === 0) return ""
  return rounds > 0 ? ` (${count(rounds, "round")} fewer now)` : ` (${count(-rounds, "round")} more now)`
}

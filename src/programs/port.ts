// Another agent's own program, which continues one of its own sessions, a turn at a time. What it adds to the session is read
// from its file; what it says while it works, and what it was not allowed to do, comes through this port.
import type { Json } from "../model/json.ts"
import type { Usage } from "../model/record/record.ts"

export interface AgentProgram {
  /** Contract: resolves when the program has ended, for whatever reason; no event comes after that. Never rejects. */
  turn(request: ProgramTurn): Promise<ProgramEnd>
}

export interface ProgramTurn {
  /** The arguments that tell the program which session to resume. */
  resume: readonly string[]
  cwd: string
  text: string
  /** Permission rules of that agent that the person has allowed, as in `Denied.rule`. */
  allow: readonly string[]
  signal: AbortSignal
  told: (event: ProgramEvent) => void
}

export type ProgramEvent =
  /** `answer`: the id of the pieces of this answer in the file (`MessageRecord.answer`), if the program reports it. */
  | { type: "step-start"; answer?: string }
  | { type: "text-delta"; text: string }
  | { type: "text-end" }
  | { type: "reasoning-delta"; text: string }
  | { type: "reasoning-end" }
  | { type: "tool-start"; call: string; name: string; input: Json }
  | { type: "tool-end"; call: string; output: string; error: boolean }
  /** An answer is complete. */
  | { type: "step-end"; usage: Usage }
  /** Its file has grown. */
  | { type: "grown" }

export interface ProgramEnd {
  outcome: "done" | "stopped" | "failed"
  /** Why it failed. */
  message?: string
  denied: Denied[]
}

/** A call that the program did not make, because nobody could approve it. */
export interface Denied {
  call: string
  tool: string
  input: Json
  /** The rule that would allow exactly this next time; undefined if there is none. */
  rule: string | undefined
}
